// Generates the JSON schema of the gateway's --config file in media/ from its schema in src/gateway: node scripts/gatewayConfigSchema.ts
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { configSchema } from '#gateway/setup/config.ts';

/** The packaged schema, for completion and validation in the editor. */
export const gatewayConfigSchemaPath = fileURLToPath(new URL('../media/gateway.schema.json', import.meta.url));

/** Creates the JSON schema (draft-07) of the configuration file. */
export function createGatewayConfigSchema(): Record<string, unknown> {
	const { $schema, ...schema } = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' });
	return { $schema, title: 'Agent Workbench gateway configuration', ...schema };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	fs.writeFileSync(gatewayConfigSchemaPath, `${JSON.stringify(createGatewayConfigSchema(), null, '\t')}\n`);
}
