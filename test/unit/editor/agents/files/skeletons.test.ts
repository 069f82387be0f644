import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { createEnterRules } from '#editor/agents/editing/enterRules.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { agentFileSchemaPath } from '../../../../../scripts/agentFileSchema.ts';
import { root } from '../../../../../scripts/lib/paths.ts';
import { english } from '../../../../support/english.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));
const folder = path.join(root, 'media', 'agents');

describe('templates of new agents', () => {
	const files = fs.readdirSync(folder);

	it('are all offered', () => {
		const offered =
			/skeletonNames = \[(.*?)\]/.exec(fs.readFileSync(path.join(root, 'src/editor/agents/files/skeletons.ts'), 'utf8'))?.[1] ?? '';
		assert.deepEqual(files.map(file => file.replace('.yml', '')).sort(), offered.replaceAll(/['\s]/g, '').split(',').sort());
	});

	for (const file of files) {
		it(`pass all checks and can be run: ${file}`, () => {
			const text = fs.readFileSync(path.join(folder, file), 'utf8');
			assert.equal(text.split('name: NAME').length, 2);
			assert.deepEqual(findAgentFaults(new AgentReading(text), schema, english), []);
			assert.ok(loadAgent(text, file).graph.nodes.size >= 3);
		});
	}
});

describe('Enter in an agent file', () => {
	const rules = createEnterRules(0);
	/** Returns how many spaces the next line is indented beyond the dash. */
	const getNextIndent = (line: string) => rules.find(({ beforeText }) => beforeText.test(line))?.action.appendText?.length ?? 0;

	it('aligns the next line with the first key of a list item', () => {
		assert.equal(getNextIndent('      - id: start'), 2);
		assert.equal(getNextIndent('  - "a b": { x: 1 }'), 2);
		assert.equal(getNextIndent("- 'id': start # the first"), 2);
	});

	it('indents further after a key that starts a map, list or block text', () => {
		assert.equal(getNextIndent('      - data:'), 4);
		assert.equal(getNextIndent('      - text: |'), 4);
		assert.equal(getNextIndent('      - text: >-  '), 4);
	});

	it("doesn't change how other lines are indented", () => {
		for (const line of ['id: start', '  - plain text', '  -', '  - [a, b]', '# - id: start', '---']) {
			assert.equal(getNextIndent(line), 0, line);
		}
	});
});
