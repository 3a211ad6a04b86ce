package config

// Sample is what "herarena config init" writes.
const Sample = `# herarena: who plays, who judges, and where they are served.
# Every key may be left out; with no file at all the scripted rehearsal plays.

# The pairing preselected on the casting screen.
# a = "her-rl"
# b = "qwen3-32b"
# critic = "her-rm"        # or "house", the critic made of code
# canon = "vote"           # whose reply is history: vote, critic, a, b, parallel
# blind = false            # shuffle the sides each turn
# word_limit = 0           # ask for replies of about so many words
# voter = "me"
# ledger = ""              # a file; "" is the standard place

# How it looks. Without a theme the one last chosen on the screen is taken.
# theme = "footlights"     # footlights, velvet, harbour, contrast, paper, terminal
# background = "auto"      # auto (the terminal is asked), dark, light
# hints = true             # first steps told on the screen until they are known
# synchronized_output = "auto"  # auto, on, off: whole frames at once

# Keys: herarena config keys lists all actions and the keys in force.
# keys_preset = "default"  # default, vi, emacs
# [keys]
# "stage.regenerate.both" = ["ctrl+r", "f5"]
# "stage.canon.next" = ""  # no key

# Keys come from the environment (key_env) or a file (key_file), never from here.
# [endpoints.policy]
# url = "http://127.0.0.1:8000/v1"
# urls = ["http://gpu1:8000/v1", "http://gpu2:8000/v1"]  # instead of url: each duel stays with one
# kind = "vllm"            # auto, vllm, llamacpp, ollama, sglang, tgi, lmstudio, openai, openrouter, deepseek, mistral, minimax, other
# key_env = "VLLM_API_KEY"
# prefill = "auto"         # auto, off, flags, trailing, prefix, completions
# first_byte_timeout = "2m"
# idle_timeout = "60s"
# retries = 2              # of a request that got no text

# [contestants.her-rl]
# endpoint = "policy"
# model = "ChengyuDu0123/HER-32B"
# dialect = "her"          # auto, her, coser, asterisk, plain
# prefill = "<system_thinking>"
# sampling = { temperature = 0.7, top_p = 0.9, max_tokens = 4096 }

# [contestants.qwen3-32b]
# endpoint = "baseline"
# model = "Qwen/Qwen3-32B"
# sampling = { temperature = 0.7, max_tokens = 4096, thinking = false }

# [endpoints.baseline]
# url = "http://127.0.0.1:8001/v1"
# extra_body = { priority = 0 }

# [endpoints.reward]
# url = "http://127.0.0.1:8002/v1"

# [critics.her-rm]
# endpoint = "reward"
# model = "ChengyuDu0123/HER-RM-32B"
# context_form = "roles"   # or ids
# orders = "always"        # ask the second order: always, never, close
# sampling = { temperature = 0.7, top_p = 0.9, max_tokens = 4096 }
`
