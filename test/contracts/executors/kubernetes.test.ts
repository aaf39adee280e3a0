import { after, before } from 'node:test';
import { type KubeCluster, skipWithoutKube, startKube } from '../../support/kube.ts';
import { Kubelet } from '../../support/kubelet.ts';
import { judgeExecutor } from './suite.ts';

judgeExecutor({
  id: 'kubernetes',
  skip: skipWithoutKube(),
  isOneLog: true,
  more: () => ({ place: { kubernetes: { image: 'bash' } } }),
  /** A real API server and Job controller; the node is played: it runs pods as processes of this machine. */
  setUp() {
    let cluster: KubeCluster | undefined;
    let kubelet: Kubelet | undefined;
    before(async () => {
      cluster = await startKube();
      process.env['KUBECONFIG'] = cluster.kubeconfig;
      kubelet = await Kubelet.start(cluster);
    });
    after(async () => {
      await kubelet?.stop();
      await cluster?.stop();
    });
  },
});
