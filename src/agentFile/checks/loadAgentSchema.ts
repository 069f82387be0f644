import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Translate } from '#base/text/localization.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { AgentSchema } from './agentSchema.ts';

/**
 * Reads the schema of agent files.
 * @param extensionPath folder of the extension
 * @param t translates the descriptions
 */
export function loadAgentSchema(extensionPath: string, t?: Translate): AgentSchema {
	const text = readFileSync(path.join(extensionPath, 'media', 'agent.schema.json'), 'utf8');
	const translateDescription = (name: string, value: unknown) =>
		t && name === 'description' && typeof value === 'string' ? t(value) : value;
	return new AgentSchema(JSON.parse(text, translateDescription) as JsonSchema);
}
