"""The worker process and the loop that takes a frame all the way to a `Snapshot`. No Qt."""
