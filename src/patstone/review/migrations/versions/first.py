"""The tables as patstone 0.1 made them."""

from alembic import op

from patstone.review.schema import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind())
