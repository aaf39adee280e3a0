import { after, before } from 'node:test';
import { KubeControlPlane, skipWithoutKube } from '../../support/kube.ts';
import { Kubelet } from '../../support/kubelet.ts';
import { judgeExecutor } from './suite.ts';

judgeExecutor({
  id: 'kubernetes',
  skip: skipWithoutKube(),
  isOneLog: true,
  more: () => ({ place: { kubernetes: { image: 'bash' } } }),
  /** A real API server and Job controller; the node is played: it runs pods as processes of this machine. */
  setUp() {
    let plane: KubeControlPlane | undefined;
    let kubelet: Kubelet | undefined;
    before(async () => {
      plane = await KubeControlPlane.start();
      process.env['KUBECONFIG'] = plane.kubeconfig;
      kubelet = await Kubelet.start(plane);
    });
    after(async () => {
      await kubelet?.stop();
      await plane?.stop();
    });
  },
});
