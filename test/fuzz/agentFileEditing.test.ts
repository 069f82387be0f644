import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { listAgentSuggestions } from '#agentFile/completion/agentSuggestions.ts';
import { findAgentHover } from '#agentFile/hovers/agentHover.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { agentFileSchemaPath } from '../../scripts/agentFileSchema.ts';
import { english } from '../support/english.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));
const samples = fileURLToPath(new URL('../../samples/agents', import.meta.url));
const texts = fs.readdirSync(samples).map(name => fs.readFileSync(path.join(samples, name), 'utf8'));

/** Requests everything that the editor requests for a text with the cursor at one position. */
function requestFeatures(text: string, offset: number): void {
	const reading = new AgentReading(text);
	for (const fault of findAgentFaults(reading, schema, english)) {
		assert.ok(fault.offset >= 0 && fault.offset <= text.length, fault.message);
	}
	findAgentHover(reading, offset, schema, english);
	listAgentSuggestions(reading, offset, { schema, models: ['m'], t: english });
}

describe('any agent file in the editor', () => {
	const { stackTraceLimit } = Error;
	// mocha enables full stack traces, which are slow if each text has hundreds of problems, and take a minute on a stack overflow
	before(() => {
		Error.stackTraceLimit = 10;
	});
	after(() => {
		Error.stackTraceLimit = stackTraceLimit;
	});

	it('is checked, explained and completed without an error, wherever it is cut and whatever is typed', () => {
		const typed = fc.oneof(
			fc.constantFrom(
				'{{#',
				'&a ',
				'*a',
				'<<: *a',
				'? ',
				'- ',
				': ',
				'!!binary ',
				'|',
				'>',
				'[',
				'{',
				'"',
				'%',
				'\t',
				'\u0000',
				'---\n',
				'...',
			),
			fc.constantFrom(
				'id: 1',
				'id: [1]',
				'source: {}',
				'type: __proto__',
				'value_selector: 3',
				'data: null',
				'nodes: x',
				'parentId: start',
			),
			fc.string({ unit: 'binary', maxLength: 6 }),
		);
		fc.assert(
			fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(400), typed, (text, at, gone, piece) => {
				const from = at % text.length;
				requestFeatures(text.slice(0, from) + piece + text.slice(from + gone), from + piece.length);
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('is checked without an error if it is deeply nested or full of aliases', () => {
		for (const text of [
			`app: ${'['.repeat(20_000)}`,
			`app: ${'{a: '.repeat(3000)}`,
			`${Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')}`,
			`a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replace(/./g, (c, i: number) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`)}]\n`)}workflow: *h\n`,
			`workflow: &w\n  graph: *w\n`,
			`- `.repeat(20_000),
		]) {
			requestFeatures(text, text.length);
		}
	});
});
