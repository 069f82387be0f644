import assert from 'node:assert/strict';
import { isPackage, readAppPackage } from '#client/dify/readers/appPackage.ts';
import { createAppPackage } from '../../../../support/services/dify/appPackage.ts';

const text = 'app: {name: Hello, mode: workflow}\nkind: app\nversion: 0.7.0\n';
const createBadPackageError = (why: RegExp) => ({ name: 'ServiceError', reason: 'protocol', code: 'bad_app_package', message: why });

describe('app packages of Dify', () => {
	it('give the text of their app.yaml, whatever else is inside', () => {
		const bytes = createAppPackage(text, undefined, { 's_000001.zip': 'PK', 'f_000001.png': 'x'.repeat(10_000) });
		assert.deepEqual([isPackage(bytes), readAppPackage(bytes)], [true, text]);
		assert.equal(isPackage(Buffer.from('{"data":""}')), false);
	});

	it('are refused with the reason if the manifest and its app do not agree', () => {
		const createManifest = (app: string, format = 'dify.app', version = '1') =>
			`format: ${format}\nformat_version: ${version}\napps: [${app}]\n`;
		const listed = `{path: app.yaml, size: ${text.length}, sha256: ${'0'.repeat(64)}}`;
		for (const [given, why] of [
			[createManifest(listed), /app\.yaml doesn't match the size and checksum/],
			[createManifest(listed.replace(`${text.length}`, '1')), /app\.yaml doesn't match the size and checksum/],
			[createManifest(`${listed}, ${listed}`), /doesn't list app\.yaml as the only app/],
			[createManifest('{path: ../app.yaml}'), /doesn't list app\.yaml as the only app/],
			[createManifest(listed, 'dify.roster-agent'), /format in its manifest is 'dify\.roster-agent' instead of 'dify\.app'/],
			[createManifest(listed, 'dify.app', '2'), /version in its manifest is 2 instead of 1/],
			['a: &a [1]\nb: *a\n', /isn't a valid YAML mapping/],
			['- 1', /isn't a valid YAML mapping/],
		] as const) {
			assert.throws(() => readAppPackage(createAppPackage(text, given)), createBadPackageError(why));
		}
	});

	it('are unpacked no further than their limits, whatever sizes they name', () => {
		const bytes = Buffer.from(createAppPackage('x'.repeat(30 * 1024 * 1024)));
		// the directory says that app.yaml has one byte
		bytes.writeUInt32LE(1, bytes.lastIndexOf('app.yaml') - 46 + 24);
		const started = process.cpuUsage();
		assert.throws(() => readAppPackage(bytes), createBadPackageError(/no app\.yaml, or the file is larger than 10485760 bytes/));
		assert.ok(process.cpuUsage(started).user < 500_000);
	});

	it('are refused immediately if their manifest would take minutes to parse', () => {
		const createKeys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}: 1\n`).join('');
		for (const [manifest, why] of [
			[createKeys(6_000), /the format in its manifest is 'undefined'/],
			[createKeys(60_000), /no manifest\.yaml, or the file is larger than 65536 bytes/],
		] as const) {
			const bytes = createAppPackage(text, manifest);
			const started = process.cpuUsage();
			assert.throws(() => readAppPackage(bytes), createBadPackageError(why));
			assert.ok(process.cpuUsage(started).user < 2_000_000, `${process.cpuUsage(started).user / 1000} ms`);
		}
	});

	it('are refused if they name a file twice', () => {
		const bytes = Buffer.from(createAppPackage(text, undefined, { 'app.yamx': 'other' }));
		bytes.write('app.yaml', bytes.lastIndexOf('app.yamx'));
		assert.throws(() => readAppPackage(bytes), createBadPackageError(/it contains app\.yaml twice/));
	});

	it('are refused if they are damaged, or larger than Dify allows', () => {
		assert.throws(() => readAppPackage(createAppPackage(text).subarray(0, 200)), createBadPackageError(/isn't a valid ZIP archive/));
		assert.throws(
			() => readAppPackage(createAppPackage('x'.repeat(10 * 1024 * 1024 + 1))),
			createBadPackageError(/no app\.yaml, or the file is larger than 10485760 bytes/),
		);
	});
});
