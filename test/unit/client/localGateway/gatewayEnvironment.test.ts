import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { buildGatewayEnvironment } from '#client/localGateway/gatewayEnvironment.ts';

describe('the environment of the built-in gateway', () => {
	it('contains variables for programs, proxies and certificates, but no key of the user', () => {
		const given = { PATH: '/bin', Path: 'C:', https_proxy: 'http://p', LC_ALL: 'C', NODE_EXTRA_CA_CERTS: 'ca.pem', SystemRoot: 'C:' };
		const others = { OPENAI_API_KEY: 'secret', AWS_SECRET_ACCESS_KEY: 'secret', NODE_OPTIONS: '--inspect', VSCODE_IPC_HOOK: 'x' };
		assert.deepEqual(buildGatewayEnvironment({ ...given, ...others }), given);
	});

	it('suffices to run a program that loads a module', () => {
		const env = buildGatewayEnvironment(process.env);
		const { status, stderr } = spawnSync(process.execPath, ['-e', 'require("node:os").tmpdir(); require("node:sqlite")'], { env });
		assert.equal(status, 0, String(stderr));
	});
});
