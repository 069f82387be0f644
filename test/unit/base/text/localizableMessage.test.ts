import assert from 'node:assert/strict';
import { decodeMessage, encodeMessage, formatMessage, localizable, translateMessage } from '#base/text/localizableMessage.ts';

describe('localizableMessage', () => {
	it('inserts a message that is a value of another message', () => {
		const message = localizable`Couldn't start: ${localizable`port ${80} is in use`}.`;
		assert.equal(formatMessage(message), "Couldn't start: port 80 is in use.");
		assert.equal(encodeMessage(message), undefined);
	});

	it('has no spaces around a Chinese or Japanese message that is a value of another one', () => {
		const translations: Record<string, string> = { 'Expect {0} {1}': '预期 {0} 应 {1}', 'to equal {0}': '等于 {0}', 'the run': '此次运行' };
		const t = (template: string, ...args: unknown[]) =>
			(translations[template] ?? template).replaceAll(/\{(\d)\}/g, (_, at: string) => String(args[Number(at)]));
		const message = localizable`Expect ${localizable`the run`} ${localizable`to equal ${'"a b"'}`}`;
		assert.equal(translateMessage(message, t as Parameters<typeof translateMessage>[1]), '预期此次运行应等于 "a b"');
		const sentences = localizable`${localizable`连接失败。`} ${localizable`URL 无效。`}`;
		assert.equal(translateMessage(sentences, t as Parameters<typeof translateMessage>[1]), '连接失败。URL 无效。');
	});

	it('has a placeholder for each value', () => {
		assert.deepEqual(localizable`Couldn't read '${'a.yml'}' in ${3} attempts.`, {
			template: "Couldn't read '{0}' in {1} attempts.",
			args: ['a.yml', 3],
		});
		assert.deepEqual(localizable`Nothing to do.`, { template: 'Nothing to do.', args: [] });
	});

	it('shows values of unexpected types', () => {
		const values = [null, {}, { template: 'a', args: [null] }, { toString: 1 }, [1], undefined, true] as unknown as string[];
		assert.deepEqual(
			values.map(value => formatMessage(localizable`event ${value}`)),
			[
				'event null',
				'event {}',
				'event {"template":"a","args":[null]}',
				'event {"toString":1}',
				'event [1]',
				'event undefined',
				'event true',
			],
		);
	});

	it('is formatted in English with its values, which may contain placeholders', () => {
		assert.equal(formatMessage(localizable`'${'{1}'}' isn't '${'b'}'.`), "'{1}' isn't 'b'.");
	});

	it('can be encoded in a header, whatever its values contain', () => {
		const message = localizable`Unknown model '${'模型\r\n\u0000"é'}'.`;
		const value = encodeMessage(message);
		assert.match(value ?? '', /^[\x21-\x7e]+$/);
		assert.deepEqual(decodeMessage(value ?? ''), message);
		assert.match(encodeMessage(localizable`${'\ud800'}`) ?? '', /^[\x21-\x7e]+$/);
	});

	it('is not encoded if it is too long for a header', () => {
		assert.equal(encodeMessage(localizable`${'x'.repeat(5000)}`), undefined);
	});

	it('is not decoded from a header of another service', () => {
		for (const value of ['', '%', '{}', 'null', '%5B%5D', '%5B%22a%22%2C%7B%7D%5D', 'plain text', '%5B1%5D']) {
			assert.equal(decodeMessage(value), undefined, value);
		}
	});
});
