"""From what was seen to what to do: situation, encoding, decision."""
