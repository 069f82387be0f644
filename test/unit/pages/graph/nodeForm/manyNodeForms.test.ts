import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { createNodeForm } from '#pages/graph/nodeForm/nodeForm.ts';
import { findSharedFolder } from '../../../../support/sharedFolder.ts';
import { schema } from '../../../agentFile/edits/formOf.ts';

const rootFolder = path.join(import.meta.dirname, '../../../../..');
const fixtures = findSharedFolder('fixtures');

describe('node form of real agent files', () => {
	const files = [
		...fs.globSync('samples/**/*.yml', { cwd: rootFolder }).map(file => path.join(rootFolder, file)),
		...(fixtures ? fs.globSync('{dsl,dsl-newest,dify-upstream}/*.yml', { cwd: fixtures }).map(file => path.join(fixtures, file)) : []),
	];
	it(`is created for every node of ${files.length} agent files`, () => {
		for (const file of files) {
			const { content } = new AgentReading(fs.readFileSync(file, 'utf8'));
			for (const { id, data } of readAgentGraph(content).nodes) {
				const form = createNodeForm(id, { content, schema, faults: [], models: [], editable: true });
				assert.equal(form === undefined, data === undefined, `${file} ${id}`);
				const names = form?.sections.flatMap(({ fields }) => fields.map(({ name }) => name)) ?? [];
				const left = Object.keys(data ?? {}).filter(name => name !== 'type' && !names.includes(name) && !form?.others.includes(name));
				assert.deepEqual(left, [], file);
			}
		}
	}).timeout(120_000);
});
