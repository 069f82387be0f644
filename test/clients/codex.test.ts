import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { protocols } from './support/fakeServices.ts';
import { findClientFile } from './support/install.ts';
import { runClient, useSession } from './support/session.ts';

describe('Codex', () => {
	const session = useSession('gpt', 0, true);
	let program: string;

	before(function () {
		const starter = findClientFile('@openai/codex/bin/codex.js');
		const kind = `@openai/codex-${process.platform}-${process.arch}`;
		if (starter === undefined || findClientFile(kind) === undefined) {
			console.log(`      skipped: Codex has no program for this machine (${kind} was not installed)`);
			this.skip();
		}
		program = starter;
	});

	/** Parses the output of `codex exec --json`, one object per line. */
	const runPrompt = async (model: string, prompt: string): Promise<{ type: string; item?: { type: string; text?: string } }[]> => {
		const { gateway, home } = session();
		const settings = {
			model_provider: 'workbench',
			'model_providers.workbench.name': 'Agent Workbench',
			'model_providers.workbench.base_url': `${gateway.baseUrl}/v1`,
			'model_providers.workbench.env_key': 'WORKBENCH_KEY',
			'model_providers.workbench.wire_api': 'responses',
		};
		const args = ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--model', model];
		const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`]);
		const out = await runClient(program, [...args, ...given, prompt], home, {
			WORKBENCH_KEY: gateway.apiKey,
			CODEX_HOME: path.join(home, '.codex'),
		});
		return out
			.split('\n')
			.filter(line => line.startsWith('{'))
			.map(line => JSON.parse(line));
	};
	before(() => fs.mkdirSync(path.join(session().home, '.codex'), { recursive: true }));

	for (const route of ['native', ...protocols.map(protocol => `via-${protocol}`)]) {
		it(`runs a command and continues with its output, ${route}`, async () => {
			const { services, home } = session();
			fs.writeFileSync(path.join(home, 'a.txt'), 'forty-two');
			services.say = ({ answersTool, tools }) =>
				tools.includes('exec_command') && !answersTool
					? { tool: 'exec_command', input: { cmd: 'cat a.txt' } }
					: { text: 'It says forty-two.' };
			const events = await runPrompt(`gpt-${route}`, 'What does a.txt say?');
			const said = events.filter(({ item }) => item?.type === 'agent_message').map(({ item }) => item?.text);
			assert.deepEqual(said, ['It says forty-two.'], JSON.stringify(events));
			assert.ok(
				events.some(({ type }) => type === 'turn.completed'),
				JSON.stringify(events),
			);
			assert.match(JSON.stringify(services.listToolRequests().at(-1)?.body), /forty-two/);
		});
	}
});
