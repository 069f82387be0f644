import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readChosenModels } from '#editor/assistant/models/chosenModel.ts';
import { createRequestSettings } from '#editor/assistant/models/requestSettings.ts';
import { convertRequest } from '#editor/assistant/models/requestTurns.ts';
import { Signatures } from '#editor/assistant/models/signatures.ts';
import { createContentBody } from '#editor/chat/endpoints/contentEndpoint.ts';

const { Auto, Required } = vscode.LanguageModelChatToolMode;
const createTextPart = (value: string) => new vscode.LanguageModelTextPart(value);

describe("a request of VS Code's chat", () => {
	it('becomes a generateContent body with renamed options, tool schemas, and only the signatures of this model', () => {
		const signatures = new Signatures();
		const call = { kind: 'toolCall', id: 'c1', name: 'read', input: '{}', signature: 'mine' } as const;
		signatures.saveCalls('gemini', [{ call, thinking: [] }]);
		const messages = [
			{ role: 3 as vscode.LanguageModelChatMessageRole, content: [createTextPart('Be brief.')], name: undefined },
			{ role: vscode.LanguageModelChatMessageRole.User, content: [createTextPart('Read')], name: undefined },
			{
				role: vscode.LanguageModelChatMessageRole.Assistant,
				content: [new vscode.LanguageModelToolCallPart('c1', 'read', {})],
				name: undefined,
			},
			{
				role: vscode.LanguageModelChatMessageRole.User,
				content: [new vscode.LanguageModelToolResultPart('c1', [createTextPart('a'), new vscode.LanguageModelPromptTsxPart({ b: 1 })])],
				name: undefined,
			},
		];
		const options = {
			modelOptions: { max_tokens: 5, top_p: 0.5, stop: 'X', _capturingTokenCorrelationId: 'x' },
			tools: [{ name: 'read', description: 'Reads', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
			toolMode: Required,
		};
		const createBody = (model: string) => {
			const { system, turns } = convertRequest(messages, model, signatures);
			return createContentBody({ model, system, turns, settings: createRequestSettings('content', options, 9), user: 'u' });
		};
		const createPart = (signature?: string) => ({
			functionCall: { id: 'c1', name: 'read', args: {} },
			...(signature && { thoughtSignature: signature }),
		});
		assert.deepEqual(createBody('gemini'), {
			contents: [
				{ role: 'user', parts: [{ text: 'Read' }] },
				{ role: 'model', parts: [createPart('mine')] },
				{ role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'read', response: { result: 'a\n{"b":1}' } } }] },
			],
			system_instruction: { parts: { text: 'Be brief.' } },
			tools: [{ functionDeclarations: [{ name: 'read', description: 'Reads', parametersJsonSchema: options.tools[0]!.inputSchema }] }],
			toolConfig: { functionCallingConfig: { mode: 'ANY' } },
			generationConfig: { maxOutputTokens: 5, topP: 0.5, stopSequences: ['X'] },
		});
		assert.deepEqual(createBody('another').contents, [
			{ role: 'user', parts: [{ text: 'Read' }] },
			{ role: 'model', parts: [createPart()] },
			{ role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'read', response: { result: 'a\n{"b":1}' } } }] },
		]);
	});

	it('has no tools field without tools, and only IDs that every service accepts', () => {
		assert.deepEqual(createRequestSettings('messages', { toolMode: Auto }, 9), { max_tokens: 9 });
		assert.deepEqual(createRequestSettings('messages', { toolMode: Required, modelOptions: { max_tokens: 3, stop: ['a'] } }, 9), {
			max_tokens: 3,
			stop_sequences: ['a'],
		});
		const { turns } = convertRequest(
			[
				{
					role: vscode.LanguageModelChatMessageRole.Assistant,
					content: [new vscode.LanguageModelToolCallPart('a|b.c', 'read', {})],
					name: undefined,
				},
			],
			'm',
			new Signatures(),
		);
		assert.deepEqual(turns[0]?.parts, [{ kind: 'toolCall', id: 'a_b_c', name: 'read', input: '{}' }]);
	});
});

describe('the setting of chosen models', () => {
	it('returns valid models without duplicates, and messages for invalid entries', () => {
		const good = { connection: 'c', endpoint: 'agent', model: 'm', inputs: { a: 1 } };
		const { models, faults } = readChosenModels(
			[{ ...good, maxInputTokens: -1, name: ' ' }, good, 'x', { connection: 'c', model: 'm', endpoint: 'completions' }],
			vscode.l10n.t,
		);
		assert.deepEqual(models, [good]);
		assert.equal(faults.length, 2);
		assert.match(faults[1]!, /entry 3 in .*Expected one of messages, content, chatCompletions, agent/);
		assert.deepEqual(readChosenModels('none', vscode.l10n.t), { models: [], faults: [] });
	});
});
