import assert from 'node:assert/strict';
import { startDeviceLogin } from '#client/dify/deviceLogin.ts';
import { createManagementFault } from '#client/dify/requests/managementFaults.ts';
import { SignInSecrets } from '#client/dify/requests/signInSecrets.ts';
import { FakeService } from '../fakeService.ts';

const secret = 'device-0123456789-abcdefghijklmnopqrstuvwxyz';
const cuts = [240, 255, 270, 285, 299];

describe('management errors that truncate a text with a secret', () => {
	const service = new FakeService();
	before(() => service.start());
	after(() => service.stop());

	const assertUnseen = ({ message }: Error) => {
		assert.doesNotMatch(message, /xd|device-/);
		return true;
	};
	const logIn = () => startDeviceLogin({ origin: service.url } as never, { clientId: 'difyctl', deviceLabel: 'a test' }, {});

	it('contain no part of it from a refusal', () => {
		for (const before of cuts) {
			const body = JSON.stringify({ code: 'invalid_param', message: `${'x'.repeat(before)}${secret} and more` });
			const request = { purpose: 'read', method: 'GET', path: '/openapi/v1/apps' } as never;
			assertUnseen(createManagementFault({ status: 400, headers: {}, body } as never, request, new SignInSecrets([secret])));
		}
	});

	it('contain no part of it in the name of a field', () => {
		const body = JSON.stringify({ details: [{ loc: ['inputs', secret], msg: 'no' }] });
		const request = { purpose: 'read', method: 'GET', path: '/openapi/v1/apps' } as never;
		const { field } = createManagementFault({ status: 422, headers: {}, body } as never, request, new SignInSecrets([secret]));
		assert.equal(field, 'inputs.***');
	});

	it('contain no part of it from an unexpected response', async () => {
		for (const before of cuts) {
			service.setAnswers({ json: { text: 'x'.repeat(before - 30), device_code: secret, text2: 'and more' } });
			await assert.rejects(logIn(), assertUnseen);
		}
	});

	it('contain no part of it from the address of a page', async () => {
		for (const before of cuts) {
			service.setAnswers({
				json: { device_code: secret, user_code: 'ABCD-EFGH', verification_uri: `file:${'x'.repeat(before - 5)}${secret} and more` },
			});
			await assert.rejects(logIn(), assertUnseen);
		}
	});
});
