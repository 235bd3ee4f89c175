"""What the commands on a class scheme count in it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patstone.measures.hierarchy import Hierarchy


def statistics(hierarchy: "Hierarchy") -> dict[str, Any]:
    scheme = hierarchy.scheme
    return {
        "scheme": scheme.name,
        "kind": scheme.kind,
        "terms": len(scheme),
        "chains": int((scheme.children == 0).sum()),
        "height": scheme.height,
        "mean_chain": hierarchy.mean_chain,
        "mean_branching": hierarchy.mean_branching,
    }
