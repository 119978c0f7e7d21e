"""The ways in for programs: OpenAI's protocol, Gradio's API and MCP."""
