import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StoredAgentSecrets } from '#editor/agents/files/agentSecrets.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { MemorySecrets } from '../../../../support/editor/memorySecrets.ts';

describe('the stored secrets of an agent file', () => {
	const connection: Connection = { id: 'built-in', name: 'Gateway', kind: 'built-in', user: 'ana' };
	let file: string;
	let sent: object[];
	let secrets: StoredAgentSecrets;
	beforeEach(() => {
		file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-secrets-')), 'a.yml');
		sent = [];
		const setAgentSecrets = async (_agent: string, { values }: { values: object }) => sent.push(values);
		const connections = { listAgents: async () => [{ name: 'a', file }], getClient: async () => ({ setAgentSecrets }) };
		secrets = new StoredAgentSecrets(new MemorySecrets(), connections as unknown as Connections);
	});
	afterEach(() => fs.rmSync(path.dirname(file), { recursive: true }));

	/** Prepares a run of the agent while its file has these secrets, and enters these values. */
	const prepareRun = (names: readonly string[], texts: string[]) => {
		const variables = names.map(name => `{name: ${name}, value_type: secret, value: ""}`);
		fs.writeFileSync(
			file,
			`app: {name: a, mode: workflow}\nworkflow: {environment_variables: [${variables}], graph: {nodes: [], edges: []}}\n`,
		);
		return answerDialogs({ texts }, () => secrets.prepareSecrets(connection, 'a', undefined));
	};

	it('stay stored while another version of the file lacks some of them', async () => {
		await prepareRun(['A', 'B'], ['one', 'two']);
		await prepareRun(['A'], []);
		await prepareRun(['A', 'B'], []);
		assert.deepEqual(sent, [{ A: 'one', B: 'two' }, { A: 'one' }, { A: 'one', B: 'two' }]);
	});
});
