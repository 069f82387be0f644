import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Node } from 'jsonc-parser';
import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import { AgentText, type TextError } from '#agentFile/agentText.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { cutDocument } from '#agentFile/reading/cutDocument.ts';
import { createTree } from '#agentFile/reading/textTree.ts';
import { readAgentFiles } from '../support/agentFiles.ts';
import { nastyAgentFiles } from '../support/nastyAgentFiles.ts';
import { fuzzRuns } from './fuzzRuns.ts';
import { applyEdit, textEdit } from './textEdits.ts';

const isLong = process.env['FUZZ_RUNS'] !== undefined;
/** Uses a tenth of the examples and files unless FUZZ_RUNS is set, because each reads files several times. */
const runs = isLong ? fuzzRuns : Math.ceil(fuzzRuns / 10);
const files = [...readAgentFiles().flatMap(({ text }, at) => (isLong || at % 10 === 0 ? [text] : [])), ...Object.values(nastyAgentFiles)];

/** Returns the content of a tree with its offsets. */
function flattenNode(node: Node | undefined): unknown {
	return node && [node.type, node.value, node.offset, node.length, ...(node.children ?? []).map(flattenNode)];
}

/** Returns the values of a document with their ranges. */
function listRanges(node: unknown): unknown {
	if (isPair(node)) {
		return [listRanges(node.key), listRanges(node.value)];
	}
	if (isMap(node) || isSeq(node)) {
		return [node.range?.[0], node.flow ?? false, ...node.items.map(listRanges)];
	}
	const [start, end] = isNode(node) ? (node.range ?? []) : [];
	return isScalar(node) ? [start, end, String(node.value), node.type, node.source] : isAlias(node) ? [start, end, node.source] : node;
}

const toComparableReading = ({ content, error, root, blocks, document }: AgentReading) => ({
	content,
	error,
	root: flattenNode(root),
	blocks,
	document: listRanges((document as Document | undefined)?.contents),
});

/** Compares an incremental reading with a full one by the engine's reader. */
function compareReadings(text: string, reading: AgentReading): void {
	const whole = new AgentText(text);
	const tree = createTree(whole);
	assert.equal(reading.error === undefined, tree.error === undefined, `${JSON.stringify(reading.error)} and ${JSON.stringify(tree.error)}`);
	const frame = cutDocument(text)?.frame;
	const errors = [reading.error, tree.error].flatMap(error => error ?? []);
	// an open quote is reported in its item, but a full reading may include everything to the end of the text
	if ((frame === undefined || new AgentText(frame).isWellFormed) && !errors.some(({ message }) => /quote|Implicit keys/.test(message))) {
		// an error between two tokens is before or after the blanks there
		const getPlace = (offset: number) => text.length - text.slice(offset).trimStart().length;
		const summarizeError = (error: TextError | undefined) => error && [error.kind, error.message, getPlace(error.offset)];
		assert.deepEqual(summarizeError(reading.error), summarizeError(tree.error));
	}
	if (tree.error === undefined) {
		assert.deepEqual(reading.content, tree.content);
		assert.deepEqual(flattenNode(reading.root), flattenNode(tree.root));
		assert.deepEqual(listRanges(reading.document?.contents), listRanges(whole.document?.contents));
		for (const offset of [0, text.length >> 1, text.length]) {
			assert.equal(reading.getLineAt(offset), whole.getLineAt(offset));
		}
	}
}

describe('readings of agent files', () => {
	it('equal a full reading, for every file', () => {
		let cut = 0;
		for (const text of files) {
			compareReadings(text, new AgentReading(text));
			cut += cutDocument(text) ? 1 : 0;
		}
		assert.ok(cut > files.length / 2, `${cut} of ${files.length} files are read in parts`);
	});

	it('are the same after each edit, independent of earlier readings', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), fc.array(textEdit, { minLength: 1, maxLength: 6 }), (file, edits) => {
				let text = file;
				let reading = new AgentReading(text);
				for (const each of edits) {
					text = applyEdit(text, each);
					reading = new AgentReading(text, reading.parts);
					assert.deepEqual(toComparableReading(reading), toComparableReading(new AgentReading(text)));
					compareReadings(text, reading);
				}
			}),
			{ numRuns: runs },
		);
	});
});
