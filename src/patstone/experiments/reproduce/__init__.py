"""The papers' tables, run again: each paper is a module that declares what it can reproduce, and what that needs."""
