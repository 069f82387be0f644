import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';

/** Creates an app package; `manifest` replaces the manifest, `more` adds files. */
export function createAppPackage(text: string, manifest?: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
	const app = Buffer.from(text);
	const sha256 = createHash('sha256').update(app).digest('hex');
	const usual = `format: dify.app
format_version: 1
apps:
- path: app.yaml
  size: ${app.length}
  sha256: ${sha256}
agent_resources: {}
icons: []
`;
	const files = { 'manifest.yaml': manifest ?? usual, 'app.yaml': text, ...more };
	return zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])));
}
