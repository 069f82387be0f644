{ "spec": ["test/fuzz/**/*.test.ts"], "timeout": 120000 }
