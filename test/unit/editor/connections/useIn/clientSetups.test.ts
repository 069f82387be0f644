import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { clientSetups, codexSetup, getTerminalShell, type ServiceAccess } from '#editor/connections/useIn/clientSetups.ts';

const access: ServiceAccess = {
	name: 'It\'s "mine"',
	baseUrl: 'http://127.0.0.1:4711',
	keys: { agent: 'k-agent', messages: `k'$(touch /nowhere) "m"`, content: 'k-content' },
	model: 'a model',
};
const findSetup = (label: string) => {
	const found = clientSetups.find(each => each.label === label);
	assert.ok(found, label);
	return found;
};
/** Runs lines in a shell, with another program in the last line, and returns the output. */
const runInShell = (text: string, program: string): string =>
	spawnSync('sh', ['-c', `${program}() { env | grep -E '^(ANTHROPIC|G)' | sort; for each in "$@"; do echo "[$each]"; done; }\n${text}`], {
		encoding: 'utf8',
		env: { PATH: process.env['PATH'] },
	}).stdout;

describe('configurations of programs for a service', () => {
	it("are for the shell of the system's terminals", () => {
		assert.deepEqual((['linux', 'darwin', 'win32'] as const).map(getTerminalShell), ['posix', 'posix', 'powershell']);
	});

	it('pass any key to Claude Code unchanged', function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		assert.equal(
			runInShell(findSetup('Claude Code').format(access, 'posix'), 'claude'),
			`ANTHROPIC_AUTH_TOKEN=${access.keys.messages}\nANTHROPIC_BASE_URL=${access.baseUrl}\nANTHROPIC_MODEL=a model\nANTHROPIC_SMALL_FAST_MODEL=a model\n`,
		);
	});

	it('pass any key to Gemini CLI and curl unchanged', function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		assert.match(
			runInShell(findSetup('Gemini CLI').format(access, 'posix'), 'gemini'),
			/GEMINI_API_KEY=k-content\n.*\n\[--model\]\n\[a model\]\n$/,
		);
		const curl = runInShell(findSetup('cURL').format(access, 'posix'), 'curl');
		assert.ok(curl.includes(`[x-api-key: ${access.keys.messages}]`));
		assert.ok(curl.includes('[http://127.0.0.1:4711/v1/messages]'));
		const body = /\[(\{.*\})\]/.exec(curl)?.[1];
		assert.deepEqual(JSON.parse(body ?? ''), { model: 'a model', max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] });
	});

	it('start Codex CLI with the gateway as its provider', function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		const [program, ...args] = runInShell(`${codexSetup.format(access, 'posix')}echo "$AGENT_WORKBENCH_KEY"`, 'codex')
			.trimEnd()
			.split('\n');
		assert.equal(program, '[--model]');
		assert.equal(args.at(-1), access.keys.messages);
		assert.deepEqual(
			args.slice(0, -1).filter(each => each !== '[-c]'),
			[
				'[a model]',
				'[model_provider="workbench"]',
				'[model_providers.workbench.name="Agent Workbench"]',
				'[model_providers.workbench.base_url="http://127.0.0.1:4711/v1"]',
				'[model_providers.workbench.env_key="AGENT_WORKBENCH_KEY"]',
				'[model_providers.workbench.wire_api="responses"]',
			],
		);
	});

	it('follow the quoting rules of PowerShell', () => {
		assert.equal(
			findSetup('Gemini CLI').format({ ...access, keys: { content: "it's" } }, 'powershell'),
			"$env:GOOGLE_GEMINI_BASE_URL = 'http://127.0.0.1:4711'\n$env:GEMINI_API_KEY = 'it''s'\ngemini --model 'a model'\n",
		);
	});

	it('include an entry for chatLanguageModels.json', () => {
		const [entry] = JSON.parse(findSetup('VS Code: Custom Endpoint').format(access, 'posix')) as [
			{ name: string; models: { url: string }[] },
		];
		assert.equal(entry.name, access.name);
		assert.equal(entry.models[0]?.url, 'http://127.0.0.1:4711/v1/messages');
	});

	it('omit variables without a key from an environment file', () => {
		assert.equal(
			findSetup('.env').format({ ...access, keys: { content: 'k' } }, 'posix'),
			'GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:4711"\nGEMINI_API_KEY="k"\n',
		);
	});

	it('never execute parts of a model name, which the service chooses', () => {
		const model = "m\u2019; calc; \u2018x\u201a\u201b'\u001b[201~\u0003\nrm -rf ~\n\u009b";
		const plain = model.replaceAll(/\p{Cc}/gu, '');
		const [claude, gemini] = ['Claude Code', 'Gemini CLI'].map(label => findSetup(label).format({ ...access, model }, 'powershell'));
		const doubled = "'m\u2019\u2019; calc; \u2018\u2018x\u201a\u201a\u201b\u201b''[201~rm -rf ~'";
		assert.ok(claude?.includes(`$env:ANTHROPIC_MODEL = ${doubled}\n`), claude);
		assert.ok(gemini?.endsWith(`gemini --model ${doubled}\n`), gemini);
		for (const { label } of clientSetups.filter(({ language }) => language !== 'json')) {
			for (const shell of ['posix', 'powershell'] as const) {
				assert.doesNotMatch(
					findSetup(label)
						.format({ ...access, model }, shell)
						.replaceAll('\n', ''),
					/\p{Cc}/u,
					label,
				);
			}
		}
		if (process.platform !== 'win32') {
			assert.ok(
				runInShell(findSetup('Claude Code').format({ ...access, model }, 'posix'), 'claude').includes(`ANTHROPIC_MODEL=${plain}\n`),
			);
			for (const odd of ['$(echo ran)`echo ran`"\\', `it's $(echo ran)`]) {
				const sourced = `${findSetup('.env').format({ ...access, model: odd }, 'posix')}export ANTHROPIC_MODEL\nclaude`;
				assert.ok(runInShell(sourced, 'claude').includes(`ANTHROPIC_MODEL=${odd}\n`), sourced);
			}
		}
	});
});
