"""Where the boards are: a photo becomes grids, and a grid a rectified picture of its board."""
