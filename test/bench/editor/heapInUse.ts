import v8 from 'node:v8';
import vm from 'node:vm';

/** Returns the bytes of heap in use after a garbage collection. */
export function measureHeapInUse(): number {
	v8.setFlagsFromString('--expose-gc');
	const collect = vm.runInNewContext('gc') as () => void;
	collect();
	collect();
	return process.memoryUsage().heapUsed;
}
