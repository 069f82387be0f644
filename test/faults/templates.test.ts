import assert from 'node:assert/strict';
import { cleanUpGateways, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { createAgentText, createEndNode, createStartNode, createTemplateNode } from '../unit/engine/run/engineFixture.ts';
import { defineLongTest } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { startProbe } from './support/probe.ts';

const long = '{% set ns = namespace(t="a b") %}{% for i in range(18) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}';
/** Templates that would take forever or all memory without limits. */
const attacks: Readonly<Record<string, string>> = {
	'loops in loops': '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}',
	'a string that doubles': '{% set ns = namespace(t="x") %}{% for i in range(60) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}',
	'a list that doubles':
		'{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}{{ ns.l | length }}',
	'a multiplying replace': `${long}{{ ns.t | replace("a", ns.t) | length }}`,
	'split into characters': `${long}{{ ns.t.split("") | length }}`,
	wordwrap: `${long}{{ ns.t | wordwrap(1000000) | wordwrap(1) | length }}`,
	wordcount: `${long}{% for i in range(1000) %}{{ ns.t | wordcount }}{% endfor %}`,
	'a multiplied list': '{% for i in range(99999) %}{% set l = [1] * 400000 %}{% endfor %}',
	'large format fields': `${long}{{ ("%9999s" * 40000) | format(1) | length }}`,
	'a macro that calls itself': '{% macro m(n) %}{{ m(n + 1) }}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}',
	'a list that contains itself twice':
		'{% set ns = namespace(l=[1]) %}{% for i in range(40) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}',
	'parentheses 3,000 deep': `{{ ${'('.repeat(3000)}1${')'.repeat(3000)} }}`,
	'raw blocks that never end': '{% raw %}'.repeat(40_000),
	'comments that never end': '{#'.repeat(100_000),
	'a template of 400 KB': '{{ sys.user_id }}{% if 1 %}a{% endif %}'.repeat(10_000),
};

describe('templates that take forever', () => {
	afterEach(cleanUpGateways);

	const runTemplates = async (entries: readonly (readonly [string, string])[]) => {
		const agents = Object.fromEntries(
			entries.map(([, template], index) => [
				`a${index}`,
				createAgentText(
					[createStartNode(), createTemplateNode('t', template), createEndNode({ text: 't.output' })],
					['start > t', 't > end'],
				),
			]),
		);
		const gateway = await startGateway({ agents });
		// the first agent loads the engine
		await gateway.send('GET', '/v1/agent/agents');
		const health = startProbe(gateway);
		const answers = await Promise.all(
			entries.map((_, index) =>
				gateway.send('POST', '/v1/agent/workflows/run', { model: `a${index}`, inputs: {}, response_mode: 'blocking', user: 'ana' }),
			),
		);
		const longest = await health.stop();
		assert.ok(longest < patienceMs, `a caller waited ${Math.round(longest)} ms`);
		for (const [index, { status, json, text }] of answers.entries()) {
			assert.equal(status, 200, text);
			const { status: end, error } = json.data as { status: string; error: string | null };
			assert.ok(
				end === 'succeeded' || /^Couldn't render the template: |^The output is longer than/.test(String(error)),
				`${entries[index]?.[0]}: ${error}`,
			);
		}
	};

	it('delay no caller, and end within their time limit', async () => {
		const quick = ['loops in loops', 'a string that doubles', 'wordwrap', 'raw blocks that never end', 'parentheses 3,000 deep'];
		await runTemplates(Object.entries(attacks).filter(([name]) => quick.includes(name)));
	});

	defineLongTest(`delay no caller with any of these: ${Object.keys(attacks).join(', ')}`, () => runTemplates(Object.entries(attacks)));
});
