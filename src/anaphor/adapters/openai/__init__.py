"""Models and embedders on any server that speaks OpenAI's protocol."""
