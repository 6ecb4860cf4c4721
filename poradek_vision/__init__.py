"""Offline photo-to-score pipeline for a camp game played with stickers on paper boards."""

__version__ = "0.1.0"
