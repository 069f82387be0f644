import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../cli/cliProcess.ts';
import { startTextGateway, type TextGateway } from '../contract/textGateway.ts';
import { FakeServices } from './support/fakeServices.ts';
import { getClientFolder, installClients } from './support/install.ts';
import { runClient } from './support/session.ts';

interface PromptfooResult {
	readonly success: boolean;
	readonly testIdx: number;
	readonly promptIdx: number;
	readonly provider: { readonly label: string };
	readonly testCase: { readonly description: string };
}

interface SuiteResult {
	readonly name: string;
	readonly variant: string;
	readonly outcome: string;
}

/** Tests with parts that aren't mapped, so that promptfoo may decide otherwise. */
const notMapped = ['code', 'threshold'];
const prompts = ['prompt 1', 'shout.json'];

describe('promptfoo', () => {
	const services = new FakeServices();
	let gateway: TextGateway;
	let folder: string;

	before(async function () {
		await installClients(this, 'promptfoo');
		await services.start();
		const base_url = `${services.upstream.baseUrl}/v1`;
		gateway = await startTextGateway(['gpt-small', 'gpt-large'].map(model => ({ model, provider: 'openai-compatible', base_url })));
		folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'agent-workbench-promptfoo-')));
		for (const name of ['promptfooconfig.yaml', 'shout.json', 'tests.csv']) {
			fs.copyFileSync(path.join(import.meta.dirname, 'promptfoo', name), path.join(folder, name));
		}
		// replies with what the message says, louder if it's told to
		services.say = ({ body }) => {
			const messages = body['messages'] as { role: string; content: string | { text: string }[] }[];
			const [system, user] = ['system', 'user'].map(role => {
				const content = messages.findLast(message => message.role === role)?.content ?? '';
				return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
			});
			const text = user!.replace('Say exactly: ', '');
			return { text: system === 'Shout at Ada' ? text.toUpperCase() : text };
		};
	});
	after(async () => {
		await gateway?.close();
		await services.upstream.close();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	it('and the suite imported from its configuration agree on every test that is mapped', async () => {
		const program = path.join(import.meta.dirname, 'promptfoo/evaluate.mjs');
		await runClient(program, [getClientFolder('promptfoo')], folder, {
			OPENAI_BASE_URL: `${gateway.baseUrl}/v1`,
			OPENAI_API_KEY: gateway.apiKey,
			PROMPTFOO_DISABLE_TELEMETRY: '1',
			PROMPTFOO_DISABLE_UPDATE: '1',
		});
		const results = JSON.parse(fs.readFileSync(path.join(folder, 'out.json'), 'utf8')) as PromptfooResult[];
		const expected = listOutcomes(results);

		const imported = await runCli(['import', 'promptfooconfig.yaml', '--json'], { cwd: folder });
		assert.equal(imported.code, 0, imported.stderr);
		const listed = parseLines<{ path?: string }>(imported.stdout).flatMap(line => (line.path === undefined ? [] : [line.path]));
		assert.deepEqual(listed, ['tests[41].assert[0]', 'tests[42].threshold']);

		const tested = await runCli(['test', 'promptfooconfig.suite.json', '--base-url', gateway.baseUrl, '--matrix', '--yes', '--json'], {
			cwd: folder,
			env: { ...process.env, AGENT_WORKBENCH_KEY: gateway.apiKey },
		});
		assert.equal(tested.code, 1, tested.stderr);
		const actual = parseLines<{ result?: SuiteResult }>(tested.stdout).flatMap(({ result }) =>
			result ? [[result.name, result.variant, result.outcome].join(' | ')] : [],
		);

		const isMapped = (outcome: string) => !notMapped.includes(outcome.split(' | ')[0]!);
		assert.deepEqual(actual.filter(isMapped).sort(), expected.filter(isMapped).sort());
		assert.equal(actual.length, expected.length);
		for (const outcome of ['passed', 'failed']) {
			assert.ok(actual.filter(each => each.endsWith(outcome)).length > 50, outcome);
		}
	});
});

/** Formats outcomes as a suite names them: tests with the same description are numbered. */
function listOutcomes(results: readonly PromptfooResult[]): readonly string[] {
	const counts = new Map<string, number>();
	return results
		.toSorted((one, other) => one.testIdx - other.testIdx)
		.map(({ success, promptIdx, provider, testCase: { description } }) => {
			// a column for each prompt of each provider
			const variant = `${prompts[promptIdx % prompts.length]}/${provider.label}`;
			const nth = (counts.get(`${description} | ${variant}`) ?? 0) + 1;
			counts.set(`${description} | ${variant}`, nth);
			return [nth > 1 ? `${description} (${nth})` : description, variant, success ? 'passed' : 'failed'].join(' | ');
		});
}

function parseLines<Line>(text: string): readonly Line[] {
	return text
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as Line);
}
