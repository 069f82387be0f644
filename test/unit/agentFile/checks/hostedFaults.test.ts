import assert from 'node:assert/strict';
import fs from 'node:fs';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { agentFileSchemaPath } from '../../../../scripts/agentFileSchema.ts';
import { english } from '../../../support/english.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));
const sample = fs.readFileSync(new URL('../../../../samples/agents/support.yml', import.meta.url), 'utf8');
const findFaults = (text: string) => findAgentFaults(new AgentReading(text), schema, english);

/** Returns a file with an additional node whose `extra` is written in some way. */
const createFileWith = (extra: string) =>
	sample.replace('    edges:\n', `      - id: more\n        data:\n          type: answer\n          extra:${extra}\n    edges:\n`);

describe('files that only Dify rejects', () => {
	/** YAML that PyYAML 6.0.3 rejects or reads differently, with the text that the warning must cover. */
	const refused: readonly (readonly [extra: string, at: string, message: RegExp])[] = [
		['\tx', '\t', /tab/],
		[' x\t# c', '\t', /tab/],
		[' a\tb', '\t', /tab/],
		[' x\n\t', '\t', /tab/],
		[' "a\u0007"', '\u0007', /U\+0007/],
		[' a\u007f', '\u007f', /U\+007F/],
		[' a\ufffe', '\ufffe', /U\+FFFE/],
		[' !x 1', '1', /tag '!x'/],
		[' !!omap [a: 1]', '[a: 1]', /list of pairs/],
		[' !!pairs [a: 1, a: 2]', '[a: 1, a: 2]', /list of pairs/],
		[' [&x 1, &x 2]', '2', /anchor 'x'/],
		[' {? [a] : 1}', '[a]', /list or map as a key/],
		[' =', '=', /'=' without quotes/],
		[' <<', '<<', /'<<' without quotes/],
	];
	for (const [extra, at, message] of refused) {
		it(`get a warning: ${JSON.stringify(extra)}`, () => {
			const text = createFileWith(extra);
			const found = findFaults(text).filter(({ code }) => code === 'syntax');
			assert.equal(found.length, 1, JSON.stringify(found));
			const [fault = assert.fail()] = found;
			assert.equal(fault.severity, 'warning');
			assert.match(fault.message, message);
			assert.equal(text.slice(fault.offset, fault.offset + fault.length), at);
		});
	}

	it("don't include files that PyYAML reads", () => {
		for (const extra of [
			' "a\tb"',
			" 'a\tb'",
			' x # a\tb',
			' |\n            a\tb\n            \tc',
			' !!str 1',
			' &x 1',
			' "="',
			' a=b',
			' a<<b',
			' x\u0085',
		]) {
			assert.deepEqual(findFaults(createFileWith(extra)), findFaults(createFileWith(' x')), extra);
		}
	});
});

describe('problems of an agent file', () => {
	it('explain an ID that YAML reads as a boolean or number', () => {
		for (const [id, meaning] of [
			['yes', 'means true'],
			['no', 'means false'],
			['12', 'is a number'],
		] as const) {
			const fault = findFaults(createFileWith(' x').replace('id: more', `id: ${id}`)).find(({ code }) => code === 'wrong-type');
			assert.match(fault?.message ?? '', new RegExp(`'${id}' in '.*' ${meaning} in YAML. Put it in quotes`));
			assert.deepEqual(fault?.suggestions, [id]);
		}
	});

	it('include a string that looks like a reference but contains a hyphen', () => {
		const text = createFileWith(' "{{#base-llm.text#}} {{#start.message#}} {{#context#}} {{#$output.x#}}"');
		const found = findFaults(text).filter(({ message }) => /isn't a reference/.test(message));
		assert.deepEqual(
			found.map(({ offset, length }) => text.slice(offset, offset + length)),
			['{{#base-llm.text#}}'],
		);
	});

	it("explain a saved response of Dify's console", () => {
		assert.match(findFaults(JSON.stringify({ data: 'app:\n  mode: workflow\n' }))[0]?.message ?? '', /response from Dify's API/);
	});

	it('are not reported for fields that Dify itself writes', () => {
		const text = sample.replace(
			'    edges:\n',
			`      - id: more
        data:
          type: knowledge-retrieval
          dataset_ids: []
          query_variable_selector: [start, message]
          retrieval_mode: multiple
          single_retrieval_config: { model: {} }
          multiple_retrieval_config: { top_k: 4, reranking_model: { provider: p, model: m } }
    edges:
`,
		);
		assert.deepEqual(
			findFaults(text).filter(({ code }) => code === 'unknown-field'),
			[],
		);
	});
});
