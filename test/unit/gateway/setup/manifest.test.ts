import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as z from 'zod';
import { datasetSchema, difyAgentSchema, difyDatasetSchema, engineConfigSchema } from '#gateway/setup/config.ts';
import { providers, routeSchema } from '#models/routeConfig.ts';

interface Schema {
	scope?: string;
	enum?: string[];
	required?: string[];
	properties?: Record<string, Schema>;
	additionalProperties?: Schema;
	items?: Schema;
}

const manifest = JSON.parse(fs.readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
	capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
	contributes: { configuration: { properties: Record<string, Schema> }[] };
};
const getSetting = (name: string): Schema =>
	manifest.contributes.configuration.flatMap(({ properties }) => properties[`agentWorkbench.gateway.${name}`] ?? [])[0]!;

describe("the manifest's settings of the built-in gateway", () => {
	it("have the same route fields as the gateway's configuration", () => {
		const schema = z.toJSONSchema(routeSchema) as Schema;
		const { properties, required } = getSetting('routes').items!;
		assert.deepEqual(Object.keys(properties!).sort(), Object.keys(schema.properties!).sort());
		assert.deepEqual(required!.toSorted(), schema.required!.toSorted());
		assert.deepEqual(properties!['provider']!.enum, [...providers]);
		assert.deepEqual(properties!['auth']!.enum, schema.properties!['auth']!.enum);
	});
	it("have the same remote agent fields as the gateway's configuration", () => {
		const schema = z.toJSONSchema(difyAgentSchema) as Schema;
		const { properties, required } = getSetting('remoteAgents').additionalProperties!.properties!['dify']!;
		assert.deepEqual(Object.keys(properties!).sort(), Object.keys(schema.properties!).sort());
		assert.deepEqual(required!.toSorted(), schema.required!.toSorted());
	});
	it("have the same dataset fields as the gateway's configuration", () => {
		const { properties } = getSetting('knowledge').additionalProperties!;
		assert.deepEqual(Object.keys(properties!).sort(), Object.keys(datasetSchema.shape).sort());
		assert.deepEqual(properties!['dify']!.required!.toSorted(), Object.keys(difyDatasetSchema.shape).sort());
	});
	it('have a setting for each permission of nodes', () => {
		// the editor's gateway gets none of its environment variables, because the editor asks for secrets instead
		const headless = ['environment'];
		const inEditor = ['allow_private_network', 'max_paused_days', 'max_steps', 'python'];
		assert.deepEqual(Object.keys(engineConfigSchema.shape).sort(), [...headless, ...inEditor].sort());
		assert.ok(getSetting('allowPrivateNetwork') && getSetting('maxPausedDays') && getSetting('maxSteps') && getSetting('python'));
	});
});

describe("the manifest's settings", () => {
	it("can't be set by a workspace if they decide where requests go or what runs, or only by a trusted one", () => {
		const settings = Object.entries(Object.assign({}, ...manifest.contributes.configuration.map(({ properties }) => properties)) as Schema);
		const fromWorkspace = settings.flatMap(([name, schema]) => ((schema as Schema).scope === 'machine' ? [] : [name])).sort();
		const harmless = [
			'agentWorkbench.chat.sendOn',
			'agentWorkbench.chat.useAgentsFile',
			'agentWorkbench.recordings.expires',
			'agentWorkbench.recordings.mode',
			'agentWorkbench.runs.reveal',
		];
		assert.deepEqual(fromWorkspace, [...harmless, ...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort());
	});
});
