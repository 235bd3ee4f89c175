"""A review of six families with two reviewers, a reader and a coordinator."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette

from patstone.review.app import make_app
from patstone.review.project import Project, Settings, create
from visitors import SCOPE, Visitor, enter, families


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    settings = Settings(title="Soft grippers", reviewers=2, reviews=2, overlap=1.0, highlight="grip*")
    made = create(tmp_path / "project", settings=settings, candidates=families(), scope=SCOPE)
    yield made
    made.database.close()


@pytest.fixture
def app(project: Project) -> Starlette:
    return make_app(project)


@pytest.fixture
def ann(app: Starlette) -> Visitor:
    return enter(app, "reviewer", "Ann")


@pytest.fixture
def bob(app: Starlette) -> Visitor:
    return enter(app, "reviewer", "Bob")


@pytest.fixture
def carla(app: Starlette) -> Visitor:
    return enter(app, "coordinator", "Carla")
