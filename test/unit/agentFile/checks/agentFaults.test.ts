import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type AgentDiagnostic, findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { CleanItems } from '#agentFile/checks/cleanItems.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { formatJsonPath } from '#base/text/textFaults.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { agentFileSchemaPath, createAgentFileSchema } from '../../../../scripts/agentFileSchema.ts';
import { english } from '../../../support/english.ts';
import { createAgentText, createTemplateNode } from '../../engine/run/engineFixture.ts';

const getFolder = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));
const files = [getFolder('test/fixtures/dsl'), getFolder('samples/agents')].flatMap(from =>
	fs
		.readdirSync(from)
		.filter(name => name.endsWith('.yml'))
		.map(name => ({ name, text: fs.readFileSync(path.join(from, name), 'utf8') })),
);
// each test uses the smallest file that has the field, because the file is read twice
files.sort((a, b) => a.text.length - b.text.length);
const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));
const findFaults = (text: string): AgentDiagnostic[] => findAgentFaults(new AgentReading(text), schema, english);
const findErrors = (text: string) => findFaults(text).filter(({ severity }) => severity === 'error');
/** Returns the engine's error for a file. */
const getRefusal = (text: string): string | undefined => {
	try {
		loadAgent(text, 'agent.yml');
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
};

describe('incremental checks of agent files', () => {
	it('report what is missing in an edge that was moved to the nodes', () => {
		const text = fs.readFileSync(getFolder('test/fixtures/dsl-newest/u15-values-of-all-types.yml'), 'utf8');
		const clean = new CleanItems();
		const before = new AgentReading(text);
		findAgentFaults(before, schema, english, clean);
		const after = new AgentReading(text.replace(/^ *edges:\n/m, ''), before.parts);
		const expected = findAgentFaults(after, schema, english);
		assert.ok(expected.some(({ code }) => code === 'missing-field'));
		assert.deepEqual(findAgentFaults(after, schema, english, clean), expected);
	});
});

describe('references of agent files', () => {
	it('repeat no long names in their problems, because thousands of problems can have the same one', () => {
		const references = Array.from({ length: 50 }, (_, at) => `{{#code.x${at}#}}`).join(' ');
		const outputs = { ['k'.repeat(20_000)]: { type: 'string' } };
		const long = { id: 'n'.repeat(20_000), data: { type: 'code', code: '', outputs: {}, variables: new Array(50).fill(1) } };
		const nodes = [
			{ id: 'start', data: { type: 'start', variables: [] } },
			{ id: 'code', data: { type: 'code', code: '', outputs, variables: [] } },
			{ id: 'answer', data: { type: 'answer', answer: references } },
			long,
		];
		const messages = findFaults(createAgentText(nodes, ['start > code', 'code > answer'], { mode: 'advanced-chat' })).map(
			({ message }) => message,
		);
		assert.ok(messages.some(message => message.startsWith("'code' has no variable 'x49'. Expected one of kkk")));
		assert.ok(messages.some(message => message.startsWith("Node 'nnn")));
		assert.ok(Math.max(...messages.map(({ length }) => length)) < 3000);
	});

	it('can name system variables as outputs of the start node, as in older exports', () => {
		const text = createAgentText(
			[
				{ id: '1723188302358', data: { type: 'start', title: 'Start', variables: [] } },
				createTemplateNode('template', '{{ q }}{{ x }}', { q: '1723188302358.query', x: '1723188302358.other' }),
			],
			['1723188302358 > template'],
		).replace('"query"', '"sys.query"');
		assert.deepEqual(
			findFaults(text).flatMap(({ code, message }) => (code === 'reference' ? [message] : [])),
			["'1723188302358' has no variables, so 'other' doesn't exist."],
		);
	});
});

describe('schema of agent files', () => {
	it('is generated from the engine by scripts/agentFileSchema.ts', () => {
		assert.deepEqual(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')), JSON.parse(JSON.stringify(createAgentFileSchema())));
	});

	it('describes every field', () => {
		const silent: string[] = [];
		const checkDescriptions = (part: JsonSchema, at: string): void => {
			for (const [name, inner] of Object.entries(part.properties ?? {})) {
				if (!inner.description) {
					silent.push(`${at}.${name}`);
				}
				checkDescriptions(inner, `${at}.${name}`);
			}
			const inside = [part.items, ...(part.anyOf ?? []), ...(part.usually ?? []), part.additionalProperties];
			for (const inner of inside.filter(each => typeof each === 'object')) {
				checkDescriptions(inner, `${at}[]`);
			}
		};
		for (const [type, definition] of Object.entries(createAgentFileSchema().definitions ?? {})) {
			checkDescriptions(definition, type);
		}
		checkDescriptions(createAgentFileSchema(), '');
		assert.deepEqual(silent, []);
	});
});

describe('diagnostics of agent files', () => {
	it('are not reported for files that the engine loads', () => {
		for (const { name, text } of files.filter(file => getRefusal(file.text) === undefined)) {
			assert.deepEqual(findErrors(text), [], name);
		}
	});

	it('are found within seconds in thousands of nested containers', function () {
		this.timeout(10_000);
		const createLoop = (at: number) => `{id: l${at}, parentId: l${at - 1}, data: {type: loop, start_node_id: l${at + 1}}}`;
		const nodes = Array.from({ length: 6_000 }, (_, at) => `      - ${createLoop(at)}\n`).join('');
		const faults = findFaults(`kind: app\napp: {mode: workflow, name: deep}\nworkflow:\n  graph:\n    edges: []\n    nodes:\n${nodes}`);
		assert.ok(faults.length > 6_000, `${faults.length} faults`);
	});

	it('are found within seconds in a file with thousands of them', () => {
		const nodes = Array.from({ length: 1500 }, (_, at) => `      - {id: n${at}, data: {type: llm, x: 1, y: 2}}\n`).join('');
		const references = `      - {id: a, data: {type: answer, answer: "${'{{#b.c#}}'.repeat(150_000)}"}}\n`;
		for (const [list, count] of [
			[nodes, 3000],
			[references, 150_000],
		] as const) {
			const started = performance.now();
			const faults = findFaults(
				`app: {name: a, mode: workflow}\nkind: app\nversion: 0.6.0\nworkflow:\n  graph:\n    edges: []\n    nodes:\n${list}`,
			);
			assert.ok(faults.length >= count, String(faults.length));
			assert.ok(performance.now() - started < 8_000, `${Math.round(performance.now() - started)} ms`);
		}
	});

	describe('are errors if and only if the engine rejects', () => {
		const tried = new Set<string>();
		for (const { name, text } of files) {
			it(name, () => {
				const differences: string[] = [];
				for (const { place, mutated } of iterateMutants(text, tried)) {
					const [engine, editor] = [getRefusal(mutated), findErrors(mutated)];
					if ((engine === undefined) !== (editor.length === 0)) {
						differences.push(`${place}: ${engine ?? 'loads'} | ${editor.map(({ message }) => message).join('; ') || 'no error'}`);
					}
				}
				assert.deepEqual(differences, []);
			});
		}

		it('enough files', () => assert.ok(tried.size > 200, `${tried.size} mutants`));
	});
});

/**
 * Yields the file with one field removed or replaced by an object. Tests each kind of field once over all files, except fields of the
 * canvas.
 */
function* iterateMutants(text: string, tried: Set<string>): Generator<{ place: string; mutated: string }> {
	const fields: { path: (string | number)[]; key: string }[] = [];
	const content = parse(text) as Record<string, unknown>;
	const collectMutants = (value: unknown, path: (string | number)[], key: string): void => {
		if (typeof value !== 'object' || value === null) {
			return;
		}
		const { type } = value as { type?: unknown };
		for (const [name, inner] of Object.entries(value)) {
			const at = [...path, Array.isArray(value) ? Number(name) : name];
			const of = Array.isArray(value) ? `${key}[]` : `${path.at(-1) === 'data' ? String(type) : key}.${name}`;
			if (!/^\.workflow\.(features|graph\.(viewport|nodes\[\]\.(position.*|width|height|zIndex)))\b/.test(of)) {
				fields.push({ path: at, key: of });
				collectMutants(inner, at, of);
			}
		}
	};
	collectMutants(content, [], '');
	for (const { path, key } of fields) {
		for (const [kind, value] of [
			['left out', undefined],
			['an object', { odd: 1 }],
		] as const) {
			if (!tried.has(`${key} ${kind}`)) {
				tried.add(`${key} ${kind}`);
				const mutated = structuredClone(content);
				const holder = path.slice(0, -1).reduce<Record<string | number, unknown>>((at, step) => at[step] as never, mutated);
				if (value !== undefined) {
					holder[path.at(-1) ?? ''] = value;
				} else if (Array.isArray(holder)) {
					holder.splice(Number(path.at(-1)), 1);
				} else {
					delete holder[path.at(-1) ?? ''];
				}
				// JSON is YAML too, and takes half the time
				yield { place: `${formatJsonPath(path)} ${kind}`, mutated: JSON.stringify(mutated) };
			}
		}
	}
}
