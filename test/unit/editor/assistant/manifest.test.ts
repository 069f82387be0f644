import assert from 'node:assert/strict';
import fs from 'node:fs';
import { chosenEndpoints } from '#editor/assistant/models/chosenModel.ts';
import { toolNames } from '#editor/assistant/register.ts';

const readProjectFile = (name: string) => fs.readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const manifest = JSON.parse(readProjectFile('package.json')) as {
	engines: { vscode: string };
	devDependencies: Record<string, string>;
	enabledApiProposals?: unknown;
	contributes: {
		languageModelChatProviders: { vendor: string; managementCommand?: string }[];
		languageModelTools: {
			name: string;
			modelDescription?: string;
			userDescription?: string;
			toolReferenceName?: string;
			canBeReferencedInPrompt?: boolean;
			inputSchema?: { type?: string };
		}[];
		configuration: { properties: Record<string, { items: { properties: Record<string, { enum?: string[] }> } }> }[];
	};
};

describe("the manifest's part for VS Code's own AI", () => {
	it('uses no proposed API', () => {
		assert.equal(manifest.enabledApiProposals, undefined);
		assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
	});

	it('has the registered vendor, without a management command', () => {
		const [provider, ...others] = manifest.contributes.languageModelChatProviders;
		assert.deepEqual(others, []);
		assert.ok(readProjectFile('src/editor/assistant/register.ts').includes(`registerLanguageModelChatProvider('${provider?.vendor}'`));
		assert.equal(provider?.managementCommand, undefined);
	});

	it('lists the endpoints whose models can be chosen', () => {
		const [setting] = manifest.contributes.configuration.flatMap(({ properties }) => properties['agentWorkbench.assistant.models'] ?? []);
		assert.deepEqual(setting?.items.properties['endpoint']?.enum, [...chosenEndpoints]);
	});

	it('has each registered tool with all fields that agent mode requires', () => {
		const tools = manifest.contributes.languageModelTools;
		assert.deepEqual(
			tools.map(({ name }) => name),
			toolNames.map(name => `agentWorkbench_${name}`),
		);
		for (const { name, modelDescription, userDescription, toolReferenceName, canBeReferencedInPrompt, inputSchema } of tools) {
			assert.equal(`agentWorkbench_${toolReferenceName}`, name);
			assert.ok(modelDescription && userDescription && canBeReferencedInPrompt && inputSchema?.type === 'object', name);
		}
	});
});
