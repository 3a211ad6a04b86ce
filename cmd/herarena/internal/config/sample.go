package config

// Sample is what "herarena config init" writes and "herarena config sample"
// prints. It holds every key there is.
const Sample = `# herarena: who plays, who judges, and where they are served.
# Every key may be left out; with no file at all the scripted rehearsal plays.

# The pairing preselected on the casting screen.
# a = "her-rl"
# b = "qwen3-32b"
# critic = "her-rm"        # or "house", the critic made of code
# scene = "mutiny"         # an id of herarena cast list
# stagehand = "qwen3-32b"  # who says who goes on in scenes of several, and tells of their surroundings
# canon = "vote"           # whose reply is history: vote, critic, a, b, parallel
# blind = false            # shuffle the sides each turn
# critic_hides_thoughts = false  # keep what characters think from the critic
# word_limit = 0           # ask for replies of about so many words
# examples = "text"        # a card's example dialogue: text (in the system prompt), turns (messages before the scene), off
# lore_share = 25          # what lorebooks may take of the shorter context, in percent
# voter = "me"
# ledger = ""              # a file, or "postgres://user@host/base" (password from ~/.pgpass); "" is the standard place

# How it looks. Without a theme the one last chosen on the screen is taken.
# theme = "footlights"     # footlights, velvet, harbour, contrast, paper, terminal
# background = "auto"      # auto (the terminal is asked), dark, light
# hints = true             # first steps told on the screen until they are known
# synchronized_output = "auto"  # auto, on, off: whole frames at once
# portraits = "auto"        # auto, blocks, kitty, off: how pictures of cards are shown

# Keys: herarena config keys lists all actions and the keys in force.
# keys_preset = "default"  # default, vi, emacs
# [keys]
# "stage.regenerate.both" = ["ctrl+r", "f10"]
# "stage.canon.next" = ""  # no key

# Keys come from the environment (key_env) or a file (key_file), never from here.
# [endpoints.policy]
# url = "http://127.0.0.1:8000/v1"
# urls = ["http://gpu1:8000/v1", "http://gpu2:8000/v1"]  # instead of url: each duel stays with one
# kind = "auto"            # auto, vllm, llamacpp, ollama, sglang, tgi, lmstudio, openai, openrouter, deepseek, mistral, minimax, other
# key_env = "VLLM_API_KEY" # the name of an environment variable
# key_file = "~/.config/herarena/vllm.key"  # or a file that holds the key alone
# api = "chat"             # chat, or completions: raw completions of a prompt in ChatML
# prefill = "auto"         # auto, off, flags, trailing, prefix, completions
# max_tokens_field = "max_tokens"  # or max_completion_tokens; by kind where absent
# session_header = "X-Session-Id"  # carries the duel's id
# first_byte_timeout = "3m"  # the longest silence before the first text
# idle_timeout = "60s"     # and after it
# retries = 2              # of a request that got no text
# ca_file = "/etc/ssl/certs/lab.pem"  # a certificate to trust beside the system's
# insecure_skip_verify = false
# headers = { X-Title = "herarena" }  # sent with every request; config show hides most values
# extra_body = { priority = 0 }  # further fields of each request; sampling wins over them

# [contestants.her-rl]
# endpoint = "policy"
# model = "ChengyuDu0123/HER-32B"
# dialect = "her"          # auto, her, coser, asterisk, plain
# prefill = "<system_thinking>"
# keep_system = false      # keep its own past system thinking in its history
# sampling = { temperature = 0.7, top_p = 0.9, max_tokens = 4096 }
# context = 32768          # tokens; where it is left out the server is asked
# price = { input = 0.2, output = 0.6 }  # US dollars per million tokens, where the server does not say what a reply cost

# [contestants.qwen3-32b]
# endpoint = "baseline"
# model = "Qwen/Qwen3-32B"
# sampling = { temperature = 0.7, top_k = 20, min_p = 0.0, repetition_penalty = 1.0, presence_penalty = 0.0, frequency_penalty = 0.0, max_tokens = 4096, seed = 7, stop = ["\nTeller:"], thinking = false }

# [endpoints.baseline]
# url = "http://127.0.0.1:8001/v1"

# [endpoints.reward]
# url = "http://127.0.0.1:8002/v1"

# [critics.her-rm]
# endpoint = "reward"
# model = "ChengyuDu0123/HER-RM-32B"
# template = ""            # a file with {context}, {cand_1}, {cand_2}; or general, for models not trained to judge
# context_form = "roles"   # or ids
# echo_prefill = false     # begin its reply with the echo of the candidates
# orders = "always"        # ask the second order: always, never, close
# sampling = { temperature = 0.7, top_p = 0.9, max_tokens = 4096 }

# A model not trained to judge, with a list of principles.
# [critics.judge]
# endpoint = "baseline"
# model = "Qwen/Qwen3-32B"
# template = "general"
# principles = "ours"      # or a TOML file
`
