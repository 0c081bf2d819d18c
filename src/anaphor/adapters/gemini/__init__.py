"""Google's Gemini API, in its own protocol."""
