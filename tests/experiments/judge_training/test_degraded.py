"""A folder of claims becomes comparisons whose answers are known."""

from pathlib import Path

import numpy as np
import pytest

from patstone.errors import DataError
from patstone.experiments.claim_world import benchmark
from patstone.experiments.judge_training.degraded import degraded


def test_claims_of_a_folder_are_made_worse(tmp_path: Path) -> None:
    whole = benchmark(3)
    for place in np.unique(whole.gold).tolist():
        (tmp_path / f"{place}.txt").write_text(whole.texts[place])
    found, passed = degraded(tmp_path)
    assert passed == []
    assert found.counts["golds"] == 3
    assert found.criteria == ("completeness", "clarity", "consistency", "linkage", "overall")
    # Each speaks of the whole and of one criterion, where its kind has one, and of both alike.
    assert set((~np.isnan(found.labels)).sum(axis=1).tolist()) == {1, 2}
    assert set(np.nanmax(found.labels, axis=1) - np.nanmin(found.labels, axis=1)) == {0.0}
    assert degraded(tmp_path)[0].digest == found.digest


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No claims can be read here"):
        degraded(tmp_path)
