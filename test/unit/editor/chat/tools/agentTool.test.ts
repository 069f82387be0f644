import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import { createAgentTool } from '#editor/chat/tools/agentTool.ts';
import type { Connection } from '#editor/connections/connectionTypes.ts';

const connection = { id: 'c', name: 'Production' } as Connection;
const agent = {
	name: 'weather',
	mode: 'workflow',
	description: 'Tells the weather.',
	variables: [
		{ variable: 'city', label: 'City', type: 'text-input', required: true, max_length: 40 },
		{ variable: 'unit', label: 'unit', type: 'select', required: false, options: ['C', 'F'] },
	],
} as unknown as AgentSummary;
const chosen = { kind: 'agent', name: 'weather', connectionId: 'c' } as const;
const createResult = (status: string) =>
	new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify({ agent: 'weather', status }))]);

describe('an agent as a tool of the chat', () => {
	it("has the agent's inputs, and runs on the chosen connection", async () => {
		const asked: unknown[] = [];
		const tool = createAgentTool(chosen, connection, agent, async ({ input }) => {
			asked.push(input);
			return createResult('succeeded');
		});
		assert.equal(tool.where, 'Production');
		assert.deepEqual(tool.inputSchema, {
			type: 'object',
			properties: {
				inputs: {
					type: 'object',
					description: "Values for the agent's variables.",
					properties: {
						city: { type: 'string', maxLength: 40, description: 'City' },
						unit: { type: 'string', enum: ['C', 'F'] },
					},
					required: ['city'],
				},
			},
			required: ['inputs'],
		});
		const outcome = await tool.run({ inputs: { city: 'Oslo' }, agent: 'other', server: 'other' }, new AbortController().signal);
		assert.deepEqual(asked, [{ agent: 'weather', server: 'c', inputs: { city: 'Oslo' } }]);
		assert.equal(outcome.isError, false);
	});

	it('requires a query for a chat agent', () => {
		const { inputSchema } = createAgentTool(chosen, connection, { ...agent, mode: 'advanced-chat', variables: [] }, async () =>
			createResult('succeeded'),
		);
		assert.deepEqual((inputSchema as { required: string[] }).required, ['query']);
	});

	it('fails if its run failed', async () => {
		const tool = createAgentTool(chosen, connection, agent, async () => createResult('failed'));
		assert.equal((await tool.run({}, new AbortController().signal)).isError, true);
	});

	it('stops, and says if the service did not confirm it', async () => {
		for (const [status, refused] of [
			['stopped', false],
			['running', true],
		] as const) {
			const abort = new AbortController();
			const tool = createAgentTool(chosen, connection, agent, (_options, token) => {
				const { promise, resolve } = Promise.withResolvers<vscode.LanguageModelToolResult>();
				token.onCancellationRequested(() => resolve(createResult(status)));
				return promise;
			});
			const running = tool.run({}, abort.signal);
			abort.abort();
			await (refused ? assert.rejects(running, /hasn't confirmed it/) : running);
		}
	});
});
