"""`sitegen serve`: the server, the file watcher, and the state kept between two saves."""
