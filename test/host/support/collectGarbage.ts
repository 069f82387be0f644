import v8 from 'node:v8';
import vm from 'node:vm';

/** Collects all garbage of this process once. */
export function collectGarbage(): void {
	v8.setFlagsFromString('--expose-gc');
	vm.runInNewContext('gc')();
}
