import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from '#client/errors/serviceError.ts';
import { translateError } from '#editor/platform/translateError.ts';

describe('translateError', () => {
	const { t } = vscode.l10n;
	const bundle: Readonly<Record<string, string>> = { '{0} {1}': '{0}{1}', 'No model {0}.': '没有模型 {0}。', 'Try again.': '请重试。' };

	before(() => {
		(vscode.l10n as { t: unknown }).t = (message: string, ...args: string[]) => t(bundle[message] ?? message, ...args);
	});

	after(() => {
		(vscode.l10n as { t: unknown }).t = t;
	});

	it("translates the client's errors, and messages in them", () => {
		const message = localizable`${localizable`No model ${'x'}.`} ${localizable`Try again.`}`;
		assert.equal(translateError(new ServiceError('not-found', message)), '没有模型 x。请重试。');
	});

	it('returns the message of any other error as it is', () => {
		assert.equal(translateError(new ServiceError('not-found', 'No model.')), 'No model.');
		assert.equal(translateError(new Error('Try again.')), 'Try again.');
		assert.equal(translateError('text'), 'text');
	});
});
