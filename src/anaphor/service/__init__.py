"""The service: anaphor over HTTP, for any client that speaks OpenAI's protocol and for our own page.

    app            puts it together
    callers        who asks: an API key, or the person at this machine
    gate           what every request passes: size, rate, place of origin, headers of the answer
    flights        turns being answered, and those who listen
    completions    /v1: a conversation for clients that only know lists of messages
    history        which conversation such a list is
    chores         titles, tags and follow-ups that clients ask for beside the talk
    api            /api: sessions, turns, documents, search, feedback, as they are
    statuses       one HTTP status a branch of the tree of errors
    meters         /metrics

The core is synchronous. A turn runs in a worker thread from its question to its commit; a stream only listens, and a
reader who leaves costs nobody the turn.
"""
