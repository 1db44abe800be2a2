"""A library: figures as vector graphics in one style."""
