import { createHash } from 'node:crypto';
import { Lexer, parse } from 'yaml';
import { readZipEntries } from '#base/files/zipEntries.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { isParsableYaml } from '#base/text/yamlCost.ts';
import { ServiceError } from '../../errors/serviceError.ts';

/** Maximum size in bytes of the app file in a package, as in Dify. */
const longestApp = 10 * 1024 * 1024;
/** An app's manifest has a few hundred bytes; a longer one, parsed synchronously, would block the caller. */
const longestManifest = 64 * 1024;
const manifestName = 'manifest.yaml';
const appName = 'app.yaml';

/** True if the bytes are a ZIP archive, which Dify's console sends by default since 1.18. */
export function isPackage(bytes: Uint8Array): boolean {
	return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

/**
 * Returns the agent file of an app package (`.ifpkg`). Its manifest must give the file's size and checksum, so that a damaged archive is
 * rejected.
 * @throws {ServiceError} `protocol` with the code `bad_app_package`
 */
export function readAppPackage(bytes: Uint8Array): string {
	const files = unpackFiles(bytes);
	const manifest = parseManifest(
		files[manifestName] ??
			throwUnreadablePackage(localizable`it has no ${manifestName}, or the file is larger than ${longestManifest} bytes`),
	);
	if (manifest['format'] !== 'dify.app') {
		throwUnreadablePackage(localizable`the format in its manifest is '${String(manifest['format']).slice(0, 60)}' instead of 'dify.app'`);
	}
	if (manifest['format_version'] !== 1) {
		throwUnreadablePackage(localizable`the version in its manifest is ${String(manifest['format_version']).slice(0, 60)} instead of 1`);
	}
	const apps: unknown = manifest['apps'];
	const entry: unknown = Array.isArray(apps) && apps.length === 1 ? apps[0] : undefined;
	if (!isRecord(entry) || entry['path'] !== appName) {
		throwUnreadablePackage(localizable`its manifest doesn't list ${appName} as the only app`);
	}
	const app = files[appName] ?? throwUnreadablePackage(localizable`it has no ${appName}, or the file is larger than ${longestApp} bytes`);
	if (entry['size'] !== app.length || entry['sha256'] !== createHash('sha256').update(app).digest('hex')) {
		throwUnreadablePackage(localizable`${appName} doesn't match the size and checksum in its manifest`);
	}
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(app);
	} catch {
		throwUnreadablePackage(localizable`${appName} isn't UTF-8 text`);
	}
}

/** Unpacks only the two relevant files. A file that exceeds its limit is `undefined`. */
function unpackFiles(bytes: Uint8Array): Readonly<Record<string, Uint8Array | undefined>> {
	const files = new Map<string, Uint8Array | undefined>();
	try {
		for (const { name, unpack } of readZipEntries(bytes)) {
			if (files.has(name)) {
				throwUnreadablePackage(localizable`it contains ${name.slice(0, 60)} twice`);
			}
			const most = name === appName ? longestApp : name === manifestName ? longestManifest : 0;
			files.set(name, most > 0 ? unpack(most) : undefined);
		}
	} catch (error) {
		throw error instanceof ServiceError ? error : throwUnreadablePackage(localizable`it isn't a valid ZIP archive`);
	}
	return Object.fromEntries(files);
}

function parseManifest(bytes: Uint8Array): Readonly<Record<string, unknown>> {
	try {
		const text = new TextDecoder().decode(bytes);
		const manifest: unknown =
			isParsableYaml(new Lexer().lex(text)) &&
			parse(text, { maxAliasCount: 0, logLevel: 'silent', uniqueKeys: false, prettyErrors: false });
		if (isRecord(manifest)) {
			return manifest;
		}
	} catch {
		// reported below
	}
	throwUnreadablePackage(localizable`its ${manifestName} isn't a valid YAML mapping`);
}

function throwUnreadablePackage(why: LocalizableMessage): never {
	const message = localizable`Dify sent an app package that can't be read: ${why}. Export the app as YAML in Dify instead.`;
	throw new ServiceError('protocol', message, { code: 'bad_app_package' });
}
