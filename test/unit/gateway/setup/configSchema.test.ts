import assert from 'node:assert/strict';
import fs from 'node:fs';
import { configSchema } from '#gateway/setup/config.ts';
import { createGatewayConfigSchema, gatewayConfigSchemaPath } from '../../../../scripts/gatewayConfigSchema.ts';

describe('schema of the gateway configuration', () => {
	it('is up to date: node scripts/gatewayConfigSchema.ts writes it', () => {
		assert.deepEqual(JSON.parse(fs.readFileSync(gatewayConfigSchemaPath, 'utf8')), JSON.parse(JSON.stringify(createGatewayConfigSchema())));
	});

	it('forwards requests for responses only to services that support them', () => {
		const findProblems = (provider: string) =>
			configSchema
				.safeParse({ routes: [{ model: '*', provider, base_url: 'http://localhost:1', responses: true }] })
				.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
		assert.equal(findProblems('openai-compatible'), undefined);
		assert.equal(findProblems('ollama'), undefined);
		assert.match(findProblems('anthropic')?.join() ?? '', /^routes\.0\.responses: expected true only for a service with OpenAI's protocol/);
	});
});
