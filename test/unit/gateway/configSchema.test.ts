import assert from 'node:assert/strict';
import fs from 'node:fs';
import { gatewayConfigSchema, gatewayConfigSchemaPath } from '../../../scripts/gatewayConfigSchema.ts';

describe('schema of the gateway configuration', () => {
	it('is the one that the gateway checks with: node scripts/gatewayConfigSchema.ts writes it', () => {
		assert.deepEqual(JSON.parse(fs.readFileSync(gatewayConfigSchemaPath, 'utf8')), JSON.parse(JSON.stringify(gatewayConfigSchema())));
	});
});
