"""Blind review: a web app in which colleagues judge families independently, so that a gold standard can be trusted.

`store` keeps what was said, `reviewing` is all that a reviewer may learn of it, `coordinating` is what a coordinator
sees, and `app` serves both.
"""
