"""Runs the migrations on the connection that `patstone.review.database.upgrade` hands over."""

from alembic import context

from patstone.review.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
