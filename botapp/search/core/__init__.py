"""The search on records, compiled with the rules.

`graph` says what a search is made of, `evaluation` what an evaluation works on. The chapters, each on the
ones before: `blows`, `values`, `static`, `outlooks` and `heuristic` evaluate a state; `network` is the
learned evaluation; `areas`, `generation`, `styles` and `policy` find actions; `expansion` grows the graph
of a turn; `judging` values its nodes; `rollouts` plays the others' turns; `schedule` says from which ends;
`bouts` plays whole fights.
`requests` is the entry for `botapp.search.desk`.
"""
