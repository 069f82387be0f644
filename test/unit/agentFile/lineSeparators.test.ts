import assert from 'node:assert/strict';
import { AgentText } from '#agentFile/agentText.ts';
import { replaceSeparators } from '#agentFile/lineSeparators.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { writeEdits } from '#agentFile/writing/writeEdits.ts';

/** Values as PyYAML 6.0 reads them, and dumps them with `allow_unicode`. */
const dumped: readonly (readonly [text: string, written: string])[] = [
	['one\u2028two', "t: 'one\u2028  two'\n"],
	['one\u2028\u2028two', "t: 'one\u2028\u2028  two'\n"],
	['one \u2028 two', 't: "one \\L two"\n'],
	['one\u2029\ntwo', "t: 'one\u2029\n  two'\n"],
	["it's\u2028so", "t: 'it''s\u2028  so'\n"],
	['one\u2028two', 't: "one \u2028 two"\n'],
];

describe('line separators of Unicode in agent files', () => {
	for (const [text, written] of dumped) {
		it(`are read as by the hosted service: ${JSON.stringify(written)}`, () => {
			assert.deepEqual(new AgentText(written).content, { t: text });
			assert.deepEqual(new AgentReading(written).content, { t: text });
		});
	}

	it('are escaped everywhere for the hosted service', () => {
		const text = `a: |\n  one\u2028  two\n  three\nb: plain\u2028text # of\u2028it\nc: "x\u2029"\n'k\u2028': 1\n`;
		const read = new AgentText(text);
		const sent = replaceSeparators(read.document ?? assert.fail(), text);
		assert.doesNotMatch(sent, /[\u0085\u2028\u2029]/);
		assert.deepEqual(new AgentText(sent).content, read.content);
		assert.equal((read.content as { a: string }).a, 'one\u2028  two\nthree\n');
	});

	it('are unchanged after an edit sets them', () => {
		const text = 'workflow:\n  graph:\n    nodes:\n    - id: a\n      data: {title: x}\n';
		for (const value of ['a \u2028 b', 'a\u2028b', 'a\u2028\nb\n', 'x\u0085y', ' \u2029']) {
			const path = ['workflow', 'graph', 'nodes', 0, 'data', 'title'];
			const refusals = { shared: String, size: String, place: 'no place' };
			const changes = writeEdits(new AgentReading(text), [{ kind: 'set', path, value }], refusals);
			const { content } = new AgentText(applyChanges(text, changes)) as {
				content: { workflow: { graph: { nodes: { data: { title: string } }[] } } };
			};
			assert.equal(content.workflow.graph.nodes[0]?.data.title, value);
		}
	});
});
