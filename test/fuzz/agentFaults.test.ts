import assert from 'node:assert/strict';
import fs from 'node:fs';
import fc from 'fast-check';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { CleanItems } from '#agentFile/checks/cleanItems.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { agentFileSchemaPath } from '../../scripts/agentFileSchema.ts';
import { readAgentFiles } from '../support/agentFiles.ts';
import { english } from '../support/english.ts';
import { fuzzRuns } from './fuzzRuns.ts';
import { applyEdit, textEdit } from './textEdits.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));
const files = readAgentFiles().map(({ text }) => text);
/** Texts that replace a name, a type or a reference, and change the meaning of the rest of the file. */
const renamed = fc.record({ word: fc.nat(), to: fc.constantFrom('other', 'llm', 'start', 'x y', '1') });
/** Uses fewer examples unless FUZZ_RUNS is set, because each reads a file several times. */
const runs = process.env['FUZZ_RUNS'] === undefined ? fuzzRuns / 4 : fuzzRuns;

describe('problems of an agent file', () => {
	it('are the same after each edit, independent of earlier checks', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), fc.array(fc.oneof(textEdit, renamed), { minLength: 1, maxLength: 5 }), (file, edits) => {
				const clean = new CleanItems();
				let text = file;
				let reading = new AgentReading(text);
				findAgentFaults(reading, schema, english, clean);
				for (const edit of edits) {
					if ('word' in edit) {
						const words = [...text.matchAll(/(?<=(?:id|type|source|target|parentId): )\w+/g)];
						const word = words[edit.word % Math.max(1, words.length)];
						text = word ? text.slice(0, word.index) + edit.to + text.slice(word.index + word[0].length) : text;
					} else {
						text = applyEdit(text, edit);
					}
					reading = new AgentReading(text, reading.parts);
					assert.deepEqual(findAgentFaults(reading, schema, english, clean), findAgentFaults(reading, schema, english));
				}
			}),
			{ numRuns: runs },
		);
	});
});
