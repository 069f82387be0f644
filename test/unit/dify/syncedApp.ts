import type { Backup, Backups } from '#dify/syncTypes.ts';

/** An agent file as users write it, with comments and an empty secret. */
export const appText = `# the greeter
app:
  name: Greeter
  mode: workflow
  icon: 🤖
  description: ''
kind: app
version: 0.6.0
dependencies: []
workflow:
  environment_variables:
  - id: e1
    name: KEY
    value_type: secret
    value: ''
  - id: e2
    name: LIMIT
    value_type: number
    value: 7
  conversation_variables: []
  features:
    opening_statement: ''
  graph:
    nodes:
    - id: start
      type: custom
      data: {type: start, title: Start, variables: []}
      position: {x: 0, y: 0}
    - id: t
      type: custom
      data:
        type: template-transform
        title: Greeting
        # said to everybody
        template: Hello
        variables: []
      position: {x: 300, y: 0}
    - id: end
      type: custom
      data: {type: end, title: End, outputs: []}
      position: {x: 600, y: 0}
    edges:
    - {id: start-t, source: start, sourceHandle: source, target: t, targetHandle: target, type: custom, data: {}}
    - {id: t-end, source: t, sourceHandle: source, target: end, targetHandle: target, type: custom, data: {}}
    viewport: {x: 0, y: 0, zoom: 1}
`;

/** Backups in memory, in order. If `full` is true, saving fails as on a full disk. */
export class HeldBackups implements Backups {
	readonly kept: (Parameters<Backups['saveBackup']>[0] & { id: string })[] = [];
	full = false;

	async saveBackup(what: Parameters<Backups['saveBackup']>[0]): Promise<Backup> {
		if (this.full) {
			throw new Error('no space left on device');
		}
		const id = String(this.kept.length);
		this.kept.push({ ...what, id });
		return { ...what, id, at: this.kept.length, file: `/backups/${id}` };
	}

	async listBackups(): Promise<readonly Backup[]> {
		return this.kept.map((what, at) => ({ ...what, at, file: `/backups/${what.id}` })).toReversed();
	}

	async readBackup({ id }: Pick<Backup, 'id'>): Promise<string> {
		return this.kept[Number(id)]?.text ?? '';
	}
}
