"""The functions behind the commands other than `build` and `serve`."""
