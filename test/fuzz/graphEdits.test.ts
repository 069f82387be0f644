import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { applyChanges, type TextChange } from '#agentFile/writing/textChanges.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { readAgentFiles } from '../support/agentFiles.ts';
import { createOperation, rolls } from '../support/graphOperations.ts';
import { nastyAgentFiles } from '../support/nastyAgentFiles.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const isLong = process.env['FUZZ_RUNS'] !== undefined;
/** Uses a fifth of the examples unless FUZZ_RUNS is set, because each reads files several times. */
const runs = isLong ? fuzzRuns : Math.ceil(fuzzRuns / 5);
const small = readAgentFiles().filter(
	({ text }, at) => readAgentGraph(new AgentText(text).content).nodes.length > 0 && (isLong || at % 12 === 0),
);
const nasty = Object.entries(nastyAgentFiles).flatMap(([name, text]) => [
	{ name, text },
	{ name: `${name}, CRLF`, text: text.replaceAll('\n', '\r\n') },
]);
const files = [...small, ...nasty];

/** Returns the edits that undo `changes`. */
function invertChanges(text: string, changes: readonly TextChange[]): readonly TextChange[] {
	let moved = 0;
	return changes
		.toSorted((a, b) => a.offset - b.offset)
		.map(({ offset, length, text: piece }) => {
			const change = { offset: offset + moved, length: piece.length, text: text.slice(offset, offset + length) };
			moved += piece.length - length;
			return change;
		});
}

function findRefusal(text: string): string | undefined {
	try {
		loadAgent(text, 'a.yml');
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

/** Problems in the values of fields, which a form may set freely. */
const ofValues = /expected|at least one|is not a value/;

describe('operations on the graph of an agent file', () => {
	if (!small.some(({ name }) => name.startsWith('d'))) {
		it.skip('run on the fixtures next to the repository too, which are missing here');
	}

	it('undo to the same bytes and leave a loadable file, or are refused with a message, in any sequence', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), fc.array(rolls, { minLength: 1, maxLength: 4 }), ({ name, text }, sequence) => {
				const texts = [text];
				const undo: (readonly TextChange[])[] = [];
				for (const roll of sequence) {
					const before = texts.at(-1) as string;
					const operation = createOperation(before, roll);
					const result = operation && applyOperation(before, operation);
					if (!operation || !result) {
						continue;
					}
					if ('refused' in result) {
						assert.match(result.refused, /\.$/, `${name}: ${JSON.stringify(operation)}`);
						continue;
					}
					const after = applyChanges(before, result.changes);
					const wrong = findRefusal(after);
					if (findRefusal(before) === undefined && wrong !== undefined && !ofValues.test(wrong)) {
						assert.fail(`${name}: ${JSON.stringify(operation)}: ${wrong}\n${after}`);
					}
					for (const id of result.made) {
						assert.ok(readAgentGraph(new AgentText(after).content).nodes.some(node => node.id === id));
					}
					undo.push(invertChanges(before, result.changes));
					texts.push(after);
				}
				for (const changes of undo.toReversed()) {
					texts.push(applyChanges(texts.at(-1) as string, changes));
				}
				assert.equal(texts.at(-1), text, name);
			}),
			{ numRuns: runs },
		);
	});

	it('add no errors to a graph after many gestures, and undo to the same bytes', () => {
		const begun = applyOperation('', { do: 'begin', mode: 'workflow', name: 'Random' });
		assert.ok('changes' in begun);
		const empty = applyChanges('', begun.changes);
		const ids = ['loop', 'again', 'iteration', 'loop_start', 'loop_2_start', 'find'];
		fc.assert(
			fc.property(fc.array(rolls, { minLength: 4, maxLength: 14 }), sequence => {
				let text = empty;
				const undo: (readonly TextChange[])[] = [];
				for (const roll of sequence) {
					const planned = createOperation(text, { ...roll, kind: [4, 4, 5, 6, 7, 7, 8, 9, 9, 10, 1, 2][roll.kind % 12] ?? 4 });
					const containers = ['loop', 'iteration'];
					const operation =
						planned?.do === 'rename'
							? { ...planned, id: ids[roll.c % ids.length] ?? '' }
							: planned?.do === 'add' && roll.c % 3 === 0
								? { ...planned, type: containers[roll.a % 2] ?? '' }
								: planned;
					const result = operation && applyOperation(text, operation);
					if (!result || 'refused' in result) {
						continue;
					}
					const before = findRefusal(text);
					const after = applyChanges(text, result.changes);
					const wrong = findRefusal(after);
					if (before === undefined && wrong !== undefined && !ofValues.test(wrong)) {
						assert.fail(`${JSON.stringify(operation)}: ${wrong}\n${after}`);
					}
					undo.push(invertChanges(text, result.changes));
					text = after;
				}
				assert.equal(
					undo.reduceRight((now, changes) => applyChanges(now, changes), text),
					empty,
				);
			}),
			{ numRuns: runs },
		);
	});

	it('keep the comments and lines of other nodes', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), rolls, ({ name, text }, roll) => {
				const operation = createOperation(text, { ...roll, kind: [0, 2, 4, 6, 11, 12][roll.kind % 6] ?? 0 });
				const result = operation && applyOperation(text, operation);
				if (!operation || !result || 'refused' in result) {
					return;
				}
				const after = applyChanges(text, result.changes);
				const findComments = (of: string) => of.split(/\r?\n/).flatMap(line => /(?:^|\s)#\s.*$/.exec(line)?.[0].trim() ?? []);
				const left = new Set(findComments(after));
				assert.deepEqual(
					findComments(text).filter(comment => !left.has(comment)),
					[],
					`${name}: ${JSON.stringify(operation)}\n${after}`,
				);
			}),
			{ numRuns: runs },
		);
	});

	it('change only digits when they move a node that has a position', () => {
		fc.assert(
			fc.property(fc.constantFrom(...files), rolls, ({ name, text }, roll) => {
				const node = readAgentGraph(new AgentText(text).content).nodes.find(({ position }) => position);
				// a shared position also belongs to another node
				if (!node || text.includes('position: *')) {
					return;
				}
				const result = applyOperation(text, { do: 'move', nodes: [{ id: node.id, x: roll.x, y: roll.x + 1 }] });
				assert.ok('changes' in result, name);
				for (const { offset, length, text: piece } of result.changes) {
					assert.match(text.slice(offset, offset + length) + piece, /^[-\d.]+$/, name);
				}
			}),
			{ numRuns: runs },
		);
	});
});
