"""Reads text off the screen: finds a log's rows, recognises each line once, in a thread of its own."""
